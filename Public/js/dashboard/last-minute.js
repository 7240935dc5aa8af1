// The waterfall of the last minute, with the facts of the picture under the pointer and the reasons of the chosen one.

import { get } from '../session/api.js'
import { RecordFeed } from '../session/record-feed.js'
import { save } from '../trace/recorder.js'
import { PictureTable } from '../waterfall/table.js'
import { Waterfall } from '../waterfall/waterfall.js'
import { why } from '../waterfall/why.js'
import { Rewind } from './rewind.js'

const REST = 1500 // ms after the last change until time stands still
const HINT = 'Point at a bar for its picture, or click it to see why it was fetched.'

const number = new Intl.NumberFormat('en')

export class LastMinute {
  #feed = new RecordFeed((record) => this.#rewind.isOn || this.#waterfall.show(record))
  #waterfall
  #rewind
  #table
  #text
  #scene
  #layout = null
  #button
  #notify
  #revision = 0
  #changed = 0 // time of the last change, ms
  #pointed = null // the picture under the pointer and its record, or null
  #chosen = null

  /**
   * `part(name)` returns a part of the dashboard, `scene()` the state that it draws, or null.
   * @param {(name: string) => any} part
   * @param {() => any} scene
   * @param {import('../page/page.js').Page} page
   */
  constructor(part, scene, page) {
    this.#scene = scene
    this.#notify = (/** @type {string} */ text) => page.notify(text).catch(() => {})
    this.#button = part('save-record')
    this.#button.addEventListener('click', () => this.#save())
    this.#text = part('why')
    /** @type {import('../waterfall/waterfall.js').Listeners} */
    const listeners = {
      label: (y) => this.#label(y),
      pointed: (picture, record) => this.#write((this.#pointed = picture && { picture, record }), this.#chosen),
      chosen: (picture, record) => this.#write(this.#pointed, (this.#chosen = picture && { picture, record })),
      sought: (t) => this.#rewind.seek(t),
    }
    this.#waterfall = new Waterfall(part('waterfall'), { record: this.#feed.record, isLive: true, ...listeners })
    this.#rewind = new Rewind(part, { page, waterfall: this.#waterfall, live: () => this.#feed.record, path: () => this.#feed.path, listeners })
    this.#table = new PictureTable(part('table'), (y) => this.#label(y))
    this.#write(null, null)
  }

  /** Shows the session at `path`; '' for no session. Call this before its events. */
  begin(path) {
    if (path !== this.#feed.path) this.#rewind.end()
    this.#button.disabled = !path
    this.#feed.begin(path)
  }

  /** Returns to the present. Call this when the dashboard is closed. */
  end() {
    this.#rewind.end()
  }

  /** Applies a `record` event. */
  received(changes) {
    this.#feed.received(changes)
  }

  async #save() {
    try {
      save(JSON.stringify(await get(`${this.#feed.path}/record`)), 'record.json', 'application/json')
      this.#notify('Record saved')
    } catch (error) {
      this.#notify(`The record was not saved. ${error.message}`)
    }
  }

  /** Adds the moment `now` (ms), and draws. `cells` has the numbers of visible and blank cells. */
  draw({ layout, scroller }, cells, now) {
    if (layout !== this.#layout) {
      if (this.#layout) this.#feed.begin(this.#feed.path) // positions have a new meaning
      this.#layout = layout
    }
    const { record } = this.#feed
    record.add({ t: now - record.start, y: scroller.home, ...cells })
    if (record.revision !== this.#revision) this.#changed = now
    this.#revision = record.revision
    this.#rewind.draw()
    const isDrawn = this.#waterfall.draw(Math.min(now, this.#changed + REST))
    if ((isDrawn || this.#rewind.isOn) && !document.hidden) this.#table.update(this.#waterfall.record, { now })
  }

  /** Names the first picture at or below a position. */
  #label(y) {
    const scene = this.#scene()
    const row = scene?.layout.rows(y, y + scene.scroller.height)[0]
    return row ? `picture ${number.format(row.from + 1)}` : ''
  }

  /** Explains the picture under the pointer or the chosen one. */
  #write(pointed, chosen) {
    const { picture, record } = pointed ?? chosen ?? {}
    const sentences = picture && why(picture, { at: record.end, label: (y) => this.#label(y), stop: record.stopAt(picture.wanted) })
    this.#text.textContent = picture ? `Picture ${number.format(picture.item + 1)}. ${sentences.join(' ')}` : HINT
  }
}
