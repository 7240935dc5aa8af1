// Detects a server that has stopped responding, as opposed to a slow one. The server counts as lost if a request is pending and neither
// a response nor an event has arrived for a while. All times are ms of one clock, passed in. `limit` is also in ms.

/** Time limit of a request while nothing else arrives, in ms. */
export const TIMEOUT = 2000
const LONGEST = 10_000 // time limit while other data arrives: on a slow line pictures may delay the response
const QUIET = 750 // silence after which the server is probed while pictures or responses are expected
const IDLE = 40_000 // the same while nothing is expected; the stream's comments every 15 s are invisible to the page
const STREAM = 8000 // silence on the stream after a response that it repeats: the stream is dead, but the server is not
const MAXIMUM_PATIENCE = 8
const LATE = 500 // delay of a check from which on the page was probably asleep, and responses may be waiting in the browser

export class ResponseWatch {
  /** @type {Map<number, {at: number, limit: number}>} pending requests, by number */
  #requests = new Map()
  #sent = 0
  #receivedAt = -Infinity // last response or event
  #announcedAt = Infinity // earliest response whose event has not arrived on the stream
  #dueAt = Infinity // time of the next check
  #failures = 0 // in a row, since the last prompt response

  /** Call this when a request is sent. Returns its number. A request with the limit Infinity may last as long as probes get responses. */
  sent(/** @type {number} */ now, limit = TIMEOUT) {
    this.#requests.set(++this.#sent, { at: now, limit: limit * this.#patience })
    return this.#sent
  }

  /** Call this when a request has ended, with or without a response. */
  ended(/** @type {number} */ request, /** @type {number} */ now, /** @type {boolean} */ hasResponse) {
    const { at = NaN } = this.#requests.get(request) ?? {}
    if (!this.#requests.delete(request) || !hasResponse) return
    this.#receivedAt = now
    if (now - at < TIMEOUT / 2) this.#failures = 0
  }

  /** Call this when a response has arrived whose content the stream will repeat as an event. */
  announced(/** @type {number} */ now) {
    this.#announcedAt = Math.min(this.#announcedAt, now)
  }

  /** Call this when the stream was opened, or an event has arrived on it. */
  received(/** @type {number} */ now) {
    this.#receivedAt = now
    this.#announcedAt = Infinity
  }

  /** Forgets all pending requests and events. */
  reset() {
    this.#requests.clear()
    this.#announcedAt = this.#dueAt = Infinity
  }

  /** Returns the time of the next check. `isListening`: there is a stream. `isAwaited`: pictures are expected on it. */
  due(/** @type {boolean} */ isListening, /** @type {boolean} */ isAwaited) {
    this.#dueAt = Math.min(this.#responseDue, isListening ? this.#streamDue(isAwaited) : Infinity)
    return this.#dueAt
  }

  /**
   * Checks the connection. Returns `lost` if the server does not respond, `reopen` if only the stream is dead, `probe` if a probe is due,
   * and null if all is well. In a hidden page (`isHidden`) timers are unreliable, and nothing counts as late.
   */
  check(/** @type {number} */ now, { isListening, isAwaited, isHidden }) {
    if (isHidden || now - this.#dueAt > LATE) return this.#forgive(now)
    if (now >= this.#responseDue) return this.#failed('lost')
    if (!isListening) return null
    if (now >= this.#announcedAt + STREAM * this.#patience) return this.#failed('reopen')
    return now >= this.#streamDue(isAwaited) ? 'probe' : null
  }

  get #responseDue() {
    let due = Infinity
    for (const { at, limit } of this.#requests.values()) {
      due = Math.min(due, Math.max(at, this.#receivedAt) + limit, at + Math.max(LONGEST * this.#patience, limit))
    }
    return due
  }

  /** Factor for all limits. Increases after failures in a row, since the line to the server may be slow. */
  get #patience() {
    return Math.min(MAXIMUM_PATIENCE, 2 ** Math.max(0, this.#failures - 1))
  }

  #streamDue(isAwaited) {
    const requests = [...this.#requests.values()]
    const isProbed = requests.some(({ limit }) => limit < Infinity) // no probe needed: its response shows whether the server works
    const quiet = isProbed ? Infinity : this.#receivedAt + (isAwaited || requests.length ? QUIET : IDLE)
    return Math.min(quiet, this.#announcedAt + STREAM * this.#patience)
  }

  #failed(verdict) {
    this.#failures += 1
    return verdict
  }

  /** Restarts all time limits. */
  #forgive(now) {
    for (const request of this.#requests.values()) request.at = now
    this.#receivedAt = now
    if (this.#announcedAt < now) this.#announcedAt = now
    return null
  }
}
