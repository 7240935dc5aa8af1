// One event stream from the server. Resumes a broken stream after its last event, and closes the stream while the page is hidden.

import { RetrySchedule } from './retry-schedule.js'

/**
 * @typedef {object} ChannelListener
 * @property {(name: string, data: any) => void} received Called with each event.
 * @property {() => void} [lost] Called when the stream broke off. The channel reopens it after a wait, unless this function closes or
 * opens the channel.
 * @property {() => void} [refused] Called when the server responded with an error; the channel is then closed. If missing, `lost` is
 * called instead.
 * @property {() => boolean | Promise<boolean>} [ready] Called before the stream is reopened after a wait; false leaves it closed.
 * @property {() => void} [woken] Called when the page is visible again and the stream is being reopened.
 */

export class EventChannel {
  #events
  #listener
  #address = ''
  /** @type {EventSource | null} */
  #source = null
  #lastEventID = ''
  #schedule = new RetrySchedule()
  #timer = 0
  #turn = 0 // increases whenever the channel is opened or closed, so that a late `ready` opens nothing
  #isWaiting = false // whether the stream is to be reopened after a wait
  #isSuspended = false // whether the stream was open when the page was hidden
  #makeSource

  /**
   * @param {string[]} events Names of the events to request.
   * @param {ChannelListener} listener
   * @param {{signal?: AbortSignal, source?: (address: string) => EventSource}} options An aborted `signal`
   * removes all listeners from the page. `source` opens a stream; by default an `EventSource`.
   */
  constructor(events, listener, options = {}) {
    const { signal, source = (address) => new EventSource(address, { withCredentials: true }) } = options
    this.#events = events
    this.#listener = listener
    this.#makeSource = source
    // A hidden page closes its connection: a browser opens only six to a server.
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#suspend() : this.#wake()), { signal })
    addEventListener('pagehide', () => this.#suspend(), { signal })
    addEventListener('pageshow', (event) => event.persisted && this.#wake(), { signal })
    addEventListener('online', () => this.#isWaiting && this.#reopen(), { signal })
  }

  /** Whether the stream is open or being opened. */
  get isOpen() {
    return this.#source !== null
  }

  listen(/** @type {ChannelListener} */ listener) {
    this.#listener = listener
  }

  /** Opens the stream at an address. Continues after the last event if the address is the same as before. */
  open(/** @type {string} */ address) {
    this.close()
    if (address !== this.#address) this.#lastEventID = ''
    this.#address = address
    this.#connect()
  }

  /**
   * Closes the stream and reopens it after a wait. The wait is longer if the server refused (`isRefused`). A hidden page waits until it
   * is visible.
   */
  retry(isRefused = false) {
    if (this.#isWaiting) return
    this.close()
    this.#isWaiting = true
    const wait = this.#schedule.failed(performance.now(), isRefused, Math.random())
    if (!document.hidden) this.#timer = setTimeout(() => this.#reopen(), wait)
  }

  /** Reopens the stream now instead of later, because somebody needs it. Not if the last try was only a moment ago. */
  hurry() {
    if (this.#isWaiting && !document.hidden && this.#schedule.mayHurry(performance.now())) this.#reopen()
  }

  close() {
    this.#turn += 1
    this.#isWaiting = this.#isSuspended = false
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = null
  }

  #connect() {
    const since = this.#lastEventID && `&lastEventID=${this.#lastEventID}`
    const source = (this.#source = this.#makeSource(`${this.#address}${this.#address.includes('?') ? '&' : '?'}only=${this.#events}${since}`))
    this.#schedule.tried(performance.now())
    const on = (name, take) => source.addEventListener(name, (event) => source === this.#source && take(event))
    on('error', () => this.#broken(source.readyState === EventSource.CLOSED))
    for (const name of this.#events) on(name, (event) => this.#received(name, event))
  }

  #received(name, { data, lastEventId }) {
    this.#schedule.spoke(performance.now())
    if (lastEventId) this.#lastEventID = lastEventId
    this.#listener.received(name, data ? JSON.parse(data) : {})
  }

  #broken(isRefused) {
    const { lost, refused } = this.#listener
    if (isRefused && refused) {
      this.close()
      return refused()
    }
    const turn = this.#turn
    lost?.()
    if (turn === this.#turn) this.retry()
  }

  async #reopen() {
    clearTimeout(this.#timer)
    this.#isWaiting = false
    this.#schedule.tried(performance.now())
    const turn = ++this.#turn
    const isReady = (await this.#listener.ready?.()) ?? true
    if (isReady && turn === this.#turn) this.#connect()
  }

  #suspend() {
    clearTimeout(this.#timer)
    if (!this.#source) return
    this.#source.close()
    this.#source = null
    this.#isSuspended = true
  }

  #wake() {
    if (this.#isSuspended) {
      this.#isSuspended = false
      this.#connect()
      this.#listener.woken?.()
    } else if (this.#isWaiting) this.#reopen()
  }
}
