// Tells a server that has stopped answering from one that is slow: it is gone when neither a request that waits nor the
// stream of events has brought anything for a while. Times are ms of one clock, passed in; `limit` is in ms, too.

/** The time limit of a request while nothing else is heard. */
export const ANSWER = 2000
const LONGEST = 10_000 // what it may take while other things are heard: a narrow line brings pictures first
const QUIET = 750 // silence on the stream while it is to bring something, after which the server is asked a question
const IDLE = 40_000 // the same while nothing is awaited; comments, which come every 15 s, do not reach the page
const STREAM = 8000 // silence on the stream after an answer that it was to bring, too: it is dead, the server is not
const MOST_PATIENCE = 8
const LATE = 500 // a look that comes this much after its time: the page slept, and answers may wait behind it

export class AnswerWatch {
  /** @type {Map<number, {at: number, limit: number}>} requests without an answer, by number */
  #requests = new Map()
  #sent = 0
  #heardAt = -Infinity // anything
  #unheardSince = Infinity // the stream has not brought what was answered then
  #dueAt = Infinity // of the next look
  #failures = 0 // in a row, since the last prompt answer

  /** A request goes out; returns its number. One without a limit is waited for as long as questions are answered. */
  sent(/** @type {number} */ now, limit = ANSWER) {
    this.#requests.set(++this.#sent, { at: now, limit: limit * this.#patience })
    return this.#sent
  }

  /** A request has ended, by an answer or without one. */
  ended(/** @type {number} */ request, /** @type {number} */ now, /** @type {boolean} */ isAnswered) {
    const { at = NaN } = this.#requests.get(request) ?? {}
    if (!this.#requests.delete(request) || !isAnswered) return
    this.#heardAt = now
    if (now - at < ANSWER / 2) this.#failures = 0
  }

  /** The answer is to come on the stream, too. */
  announced(/** @type {number} */ now) {
    this.#unheardSince = Math.min(this.#unheardSince, now)
  }

  /** The stream has brought something, or is new. */
  heard(/** @type {number} */ now) {
    this.#heardAt = now
    this.#unheardSince = Infinity
  }

  /** Nothing is waited for any more. */
  reset() {
    this.#requests.clear()
    this.#unheardSince = this.#dueAt = Infinity
  }

  /** When to look next: `isListening` there is a stream, `isAwaited` it is to bring something. */
  due(/** @type {boolean} */ isListening, /** @type {boolean} */ isAwaited) {
    this.#dueAt = Math.min(this.#answerDue, isListening ? this.#streamDue(isAwaited) : Infinity)
    return this.#dueAt
  }

  /**
   * Looks: `lost`, the server does not answer; `reopen`, the stream alone is dead; `ask`, a question is due; null, all is well.
   * While nobody looks at the page (`isHidden`) its timers say nothing.
   */
  look(/** @type {number} */ now, { isListening, isAwaited, isHidden }) {
    if (isHidden || now - this.#dueAt > LATE) return this.#forgive(now)
    if (now >= this.#answerDue) return this.#failed('lost')
    if (!isListening) return null
    if (now >= this.#unheardSince + STREAM * this.#patience) return this.#failed('reopen')
    return now >= this.#streamDue(isAwaited) ? 'ask' : null
  }

  get #answerDue() {
    let due = Infinity
    for (const { at, limit } of this.#requests.values()) {
      due = Math.min(due, Math.max(at, this.#heardAt) + limit, at + Math.max(LONGEST * this.#patience, limit))
    }
    return due
  }

  /** The factor of all limits: a server that failed more than once may be at the end of a slow line. */
  get #patience() {
    return Math.min(MOST_PATIENCE, 2 ** Math.max(0, this.#failures - 1))
  }

  #streamDue(isAwaited) {
    const requests = [...this.#requests.values()]
    const isAsked = requests.some(({ limit }) => limit < Infinity) // its answer will tell
    const quiet = isAsked ? Infinity : this.#heardAt + (isAwaited || requests.length ? QUIET : IDLE)
    return Math.min(quiet, this.#unheardSince + STREAM * this.#patience)
  }

  #failed(verdict) {
    this.#failures += 1
    return verdict
  }

  /** Waits anew for everything. */
  #forgive(now) {
    for (const request of this.#requests.values()) request.at = now
    this.#heardAt = now
    if (this.#unheardSince < now) this.#unheardSince = now
    return null
  }
}
