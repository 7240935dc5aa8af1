// Decides when to retry a broken connection: almost immediately, then after growing waits. Only tries and failures of the connection
// count, not those of other requests. All times are ms of one clock, passed in.

const WAITS = [50, 250, 1000, 2000] // maximum wait before each retry in a row, in ms; the last one for all further retries
const LASTING = 2000 // ms for which a connection must have worked, so that its failure counts as the first in a row
const REFUSED_FIRST = 1000 // ms before the first retry after the server refused; doubles each time
const REFUSED_LONGEST = 8000
const HURRY = 250 // minimum time since the last try before a retry may be hurried, in ms

export class RetrySchedule {
  #spokeAt = Infinity // when the first data arrived on the connection
  #triedAt = -Infinity
  #failures = 0 // in a row
  #isRefused = false // whether the last failure was a refusal, which the server would only repeat

  /** Call this at the start of a try. */
  tried(/** @type {number} */ now) {
    this.#triedAt = now
    this.#spokeAt = Infinity
  }

  /** Call this when data has arrived on the connection. */
  spoke(/** @type {number} */ now) {
    this.#spokeAt = Math.min(this.#spokeAt, now)
  }

  /**
   * Call this when the connection or a try has failed. Returns the wait before the next try.
   * @param {number} now
   * @param {boolean} isRefused Whether the server refused: it is full, requires a token, or does not have the gallery.
   * @param {number} chance A random number, 0 ..< 1, so that many clients do not reconnect at the same time.
   */
  failed(now, isRefused, chance) {
    if (now - this.#spokeAt >= LASTING) this.#failures = 0
    this.#spokeAt = Infinity
    this.#isRefused = isRefused
    const failures = this.#failures++
    if (isRefused) return Math.min(REFUSED_LONGEST, REFUSED_FIRST * 2 ** failures) * (0.75 + chance / 4)
    const wait = WAITS[Math.min(failures, WAITS.length - 1)]
    return failures ? wait * (0.75 + chance / 4) : wait * chance
  }

  /** Whether the next try may start before its wait is over, because the person needs the connection. */
  mayHurry(/** @type {number} */ now) {
    return !this.#isRefused && now - this.#triedAt > HURRY
  }
}
