// One stream of events from the server: opened, opened again where it broke off, given back while nobody looks, and closed.

import { RetrySchedule } from './retry-schedule.js'

/**
 * @typedef {object} ChannelListener
 * @property {(name: string, data: any) => void} hear An event.
 * @property {() => void} [lost] The stream broke off. It is opened again after a wait, unless this closes or opens the channel.
 * @property {() => void} [refused] The server answered with an error, and the channel is closed. Left out: as `lost`.
 * @property {() => boolean | Promise<boolean>} [ready] Asked before the stream is opened again after a wait; false leaves it closed.
 * @property {() => void} [woken] The page is looked at again, and the stream has been opened again.
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
  #turn = 0 // rises whenever it is opened or closed, so that a late `ready` opens nothing
  #isWaiting = false // to open again
  #isResting = false // was open when the page was hidden
  #makeSource

  /**
   * @param {string[]} events The names of the events that are asked for and heard.
   * @param {ChannelListener} listener
   * @param {{signal?: AbortSignal, source?: (address: string) => EventSource}} options `signal` is aborted where it is closed
   * for good; `source` opens a stream, by default one of its own.
   */
  constructor(events, listener, options = {}) {
    const { signal, source = (address) => new EventSource(address, { withCredentials: true }) } = options
    this.#events = events
    this.#listener = listener
    this.#makeSource = source
    // A hidden page gives its connection back: a browser opens only six to a server.
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#rest() : this.#wake()), { signal })
    addEventListener('pagehide', () => this.#rest(), { signal })
    addEventListener('pageshow', (event) => event.persisted && this.#wake(), { signal })
    addEventListener('online', () => this.#isWaiting && this.#reopen(), { signal })
  }

  /** Whether there is a stream, or one on its way. */
  get isOpen() {
    return this.#source !== null
  }

  /** Hands the events from here on to another listener. */
  listen(/** @type {ChannelListener} */ listener) {
    this.#listener = listener
  }

  /** Opens the stream at an address: where it broke off, if it is the address of the last one. */
  open(/** @type {string} */ address) {
    this.close()
    if (address !== this.#address) this.#lastEventID = ''
    this.#address = address
    this.#connect()
  }

  /**
   * Closes the stream, and opens it again after a wait, longer where the server said no (`isRefused`); a hidden page waits
   * until it is shown.
   */
  retry(isRefused = false) {
    if (this.#isWaiting) return
    this.close()
    this.#isWaiting = true
    const wait = this.#schedule.failed(performance.now(), isRefused, Math.random())
    if (!document.hidden) this.#timer = setTimeout(() => this.#reopen(), wait)
  }

  /** Somebody waits for it: opens it now where it is due later, unless that has just been tried. */
  hurry() {
    if (this.#isWaiting && !document.hidden && this.#schedule.mayHurry(performance.now())) this.#reopen()
  }

  close() {
    this.#turn += 1
    this.#isWaiting = this.#isResting = false
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
    for (const name of this.#events) on(name, (event) => this.#heard(name, event))
  }

  #heard(name, { data, lastEventId }) {
    this.#schedule.spoke(performance.now())
    if (lastEventId) this.#lastEventID = lastEventId
    this.#listener.hear(name, data ? JSON.parse(data) : {})
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

  #rest() {
    clearTimeout(this.#timer)
    if (!this.#source) return
    this.#source.close()
    this.#source = null
    this.#isResting = true
  }

  #wake() {
    if (this.#isResting) {
      this.#isResting = false
      this.#connect()
      this.#listener.woken?.()
    } else if (this.#isWaiting) this.#reopen()
  }
}
