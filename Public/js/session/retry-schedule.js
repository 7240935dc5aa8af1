// When to try a connection again that broke: at once, then after waits that grow. What counts are tries and failures of the
// connection, never those of the requests beside it. Times are ms of one clock, passed in.

const WAITS = [50, 250, 1000, 2000] // ms at most before each try in a row; the last one from then on
const LASTING = 2000 // ms that a connection must have lasted for the next failure to be the first in a row
const REFUSED_FIRST = 1000 // ms before a server is asked again that said no; twice as long each time
const REFUSED_LONGEST = 8000
const HURRY = 250 // ms after a try from which on somebody who waits is not made to wait any longer

export class RetrySchedule {
  #spokeAt = Infinity // when the connection brought something first
  #triedAt = -Infinity
  #failures = 0 // in a row
  #isRefused = false // the last failure was an answer, which will be the same in a moment

  /** A connection is being tried. */
  tried(/** @type {number} */ now) {
    this.#triedAt = now
    this.#spokeAt = Infinity
  }

  /** The connection has brought something. */
  spoke(/** @type {number} */ now) {
    this.#spokeAt = Math.min(this.#spokeAt, now)
  }

  /**
   * The connection, or the try, has failed. Returns the wait before the next one.
   * @param {number} now
   * @param {boolean} isRefused The server answered, and said no: it is full, asks for a token, or has no such gallery.
   * @param {number} chance 0 ..< 1, so that many clients do not come back at the same moment.
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

  /** Whether the next try may be made now, before its wait is over, for somebody who waits for it. */
  mayHurry(/** @type {number} */ now) {
    return !this.#isRefused && now - this.#triedAt > HURRY
  }
}
