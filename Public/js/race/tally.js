// Measures how much of one pane was loaded, by the rules of `lookahead replay` and of a session's `stats`. A visible cell is blank until
// its picture has loaded or failed, and empty until it shows at least a blur. The blank share is blank cell-seconds divided by all
// visible cell-seconds. The settle time runs from the last movement before a pause of 150 ms to the last visible picture, or to the next
// movement if that begins first. The slow blank share covers the time in which the content moved at less than 1,500 px per second, slowly
// enough for a person to recognize pictures.

const STOP = 150 // ms without movement. Shorter pauses are part of the movement
const SLOW = 1500 // px per second
export const BUCKET = 100 // ms per point of the history

export class Tally {
  /** The blank share of each tenth of a second. */
  history = []
  /** The empty share of each tenth of a second. */
  emptyHistory = []
  /** Distance that the content has moved so far, px. */
  distance = 0
  #cellTime = 0 // visible cells × ms
  #blankTime = 0
  #emptyTime = 0
  #slowCellTime = 0
  #slowBlankTime = 0
  #cells = 0
  #blank = 0
  #empty = 0
  /** Time to fill the view after each stop so far, ms. */
  settles = []
  #began = null // start of the measurement, ms
  #top = 0
  #moved // time of the last movement, ms
  #settled // time when the view was full after the last movement, ms
  #finished = false
  #time = 0 // time of the last frame, ms

  /**
   * Adds a frame that is on the screen from `now` (ms): `cells` are visible, `blank` of them have no picture, `empty` of them not even a
   * blur, and the content is scrolled to `top` (px). The previous frame counts until `now`.
   */
  frame(now, { cells, blank, empty = blank, top }) {
    const movement = this.#began === null ? 0 : Math.abs(top - this.#top)
    this.#pass(now, movement)
    this.#top = top
    this.distance += movement
    if (movement > 0) {
      if (this.#moved !== undefined && now - this.#moved >= STOP) this.settles.push((this.#settled ?? now) - this.#moved)
      this.#moved = now
      this.#settled = undefined
    }
    this.#cells = cells
    this.#blank = blank
    this.#empty = empty
    if (this.#settled === undefined && !blank) this.#settled = now
  }

  finish(now) {
    this.#pass(now, 0)
    if (this.#moved !== undefined) this.settles.push((this.#settled ?? now) - this.#moved)
    this.#finished = true
  }

  /** 0 … 1 */
  get blankShare() {
    return this.#cellTime ? this.#blankTime / this.#cellTime : 0
  }

  /** 0 … 1 */
  get emptyShare() {
    return this.#cellTime ? this.#emptyTime / this.#cellTime : 0
  }

  /** 0 … 1 */
  get slowBlankShare() {
    return this.#slowCellTime ? this.#slowBlankTime / this.#slowCellTime : 0
  }

  /** The longest settle time so far, ms. NaN before the first stop. */
  get settle() {
    const current = this.#finished || this.#moved === undefined || this.#settled === undefined ? [] : [this.#settled - this.#moved]
    const all = [...this.settles, ...current]
    return all.length ? Math.max(...all) : NaN
  }

  #pass(now, movement) {
    if (this.#began === null) this.#began = now
    else {
      const time = Math.max(0, now - this.#time)
      this.#cellTime += this.#cells * time
      this.#blankTime += this.#blank * time
      this.#emptyTime += this.#empty * time
      if (movement < (SLOW * time) / 1000 || movement === 0) {
        this.#slowCellTime += this.#cells * time
        this.#slowBlankTime += this.#blank * time
      }
      const share = (count) => (this.#cells ? count / this.#cells : 0)
      while (this.history.length * BUCKET <= now - this.#began) {
        this.history.push(share(this.#blank))
        this.emptyHistory.push(share(this.#empty))
      }
    }
    this.#time = now
  }
}
