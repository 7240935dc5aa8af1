// The record of a session, kept up to date by `record` events.

import { ScrollRecord } from '../waterfall/record.js'
import { get } from './api.js'

export class RecordFeed {
  record = new ScrollRecord({})
  path = '' // of the session
  #replaced
  #isWhole = false // whether no change of the record is missing
  #news = null // events since the request for the record, or null without a request

  /** `replaced(record)` is called with each new record. */
  constructor(/** @type {(record: ScrollRecord) => void} */ replaced) {
    this.#replaced = replaced
  }

  /** Gets the record of the session at `path`; '' for no session. Call this before its events. */
  begin(/** @type {string} */ path) {
    this.path = path
    this.#isWhole = false
    this.#get(false)
  }

  /** Applies a `record` event. Before the first event, changes may be missing, so that the record is read again. */
  received(changes) {
    this.#news?.push(changes)
    if (this.#isWhole) this.record.merge(changes)
    else if (!this.#news) this.#get(true)
  }

  async #get(/** @type {boolean} */ isFollowed) {
    const { path } = this
    if (!path) return
    const news = (this.#news = isFollowed ? [] : null)
    const document = await get(`${path}/record`).catch(() => null)
    if (news === this.#news) this.#news = null
    if (!document || path !== this.path) return
    // Before the first update, the server does not know the page's clock.
    const isAligned = document.samples.length > 0
    if (!isAligned) document.start = performance.now() - document.end
    this.#isWhole = isFollowed && isAligned
    this.record = new ScrollRecord(document)
    for (const changes of news ?? []) if (this.#isWhole) this.record.merge(changes)
    this.#replaced(this.record)
  }
}
