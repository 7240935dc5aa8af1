// Zoom and pan. Time runs across, the position in the gallery down.

const LEAST = { time: 20, place: 40 } // minimum ms and px on the axes
const EASE = 0.2 // part of the way that the positions glide in each frame

export class Axes {
  /** The visible part of the record. Each change sets another object. */
  view = { from: 0, to: 1, top: 0, bottom: 1 }
  isFollowing = false // whether the newest moment stays at the right edge
  span = Infinity // ms shown while following
  #limits = { ...this.view }
  #plot = { left: 0, top: 0, width: 1, height: 1 } // px of the canvas

  /** Sets the part of the canvas that the view fills. */
  resize(/** @type {{left: number, top: number, width: number, height: number}} */ plot) {
    this.#plot = plot
  }

  x = (/** @type {number} */ t) => this.#plot.left + (t - this.view.from) * this.perTime
  y = (/** @type {number} */ place) => this.#plot.top + (place - this.view.top) * this.perPlace
  timeAt = (/** @type {number} */ x) => this.view.from + (x - this.#plot.left) / this.perTime
  placeAt = (/** @type {number} */ y) => this.view.top + (y - this.#plot.top) / this.perPlace

  /** Pixels of the canvas per ms. */
  get perTime() {
    return this.#plot.width / (this.view.to - this.view.from)
  }

  /** Pixels of the canvas per px of the content. */
  get perPlace() {
    return this.#plot.height / (this.view.bottom - this.view.top)
  }

  /** Sets what can be shown at most, and moves the view into it. */
  limit(/** @type {typeof this.view} */ { from, to, top, bottom }) {
    this.#limits = { from, to: Math.max(to, from + 1), top, bottom: Math.max(bottom, top + 1) }
    if (!this.isFollowing) this.#set(this.view.from, this.view.to, this.view.top, this.view.bottom)
  }

  /** Shows everything. */
  fit() {
    this.view = { ...this.#limits }
  }

  /** Shows the time up to `moment` and the positions of `bounds`, gliding if `isGliding`. Returns whether the view has changed. */
  follow(/** @type {number} */ moment, /** @type {{top: number, bottom: number}} */ bounds, isGliding = true) {
    const near = (bounds.bottom - bounds.top) / 100
    const glided = (/** @type {'top' | 'bottom'} */ edge) => {
      const away = bounds[edge] - this.view[edge]
      return isGliding && Math.abs(away) > near ? this.view[edge] + away * EASE : bounds[edge]
    }
    const from = Math.max(moment - this.span, this.#limits.from)
    const view = { from, to: from + this.span, top: glided('top'), bottom: glided('bottom') }
    const isChanged = Object.keys(view).some((edge) => view[edge] !== this.view[edge])
    if (isChanged) this.view = view
    return isChanged
  }

  /** Enlarges the view about a point of the canvas. While following, the newest moment stays at the right edge. */
  zoom(/** @type {number} */ factor, /** @type {number} */ x, /** @type {number} */ y) {
    const { from, to, top, bottom } = this.view
    if (this.isFollowing) return void (this.span = Math.min(Math.max(this.span / factor, LEAST.time), this.#limits.to - this.#limits.from))
    const [t, place] = [this.timeAt(x), this.placeAt(y)]
    const across = enlarged(to - from, factor, LEAST.time, this.#limits.to - this.#limits.from)
    const down = enlarged(bottom - top, factor, LEAST.place, this.#limits.bottom - this.#limits.top)
    this.#set(t - (t - from) * across, t + (to - t) * across, place - (place - top) * down, place + (bottom - place) * down)
  }

  /** Moves the content by px of the canvas, and stops following. */
  pan(/** @type {number} */ dx, /** @type {number} */ dy) {
    this.isFollowing = false
    const { from, to, top, bottom } = this.view
    const [time, place] = [dx / this.perTime, dy / this.perPlace]
    this.#set(from - time, to - time, top - place, bottom - place)
  }

  #set(...edges) {
    const [from, to] = clamped(edges[0], edges[1], this.#limits.from, this.#limits.to)
    const [top, bottom] = clamped(edges[2], edges[3], this.#limits.top, this.#limits.bottom)
    this.view = { from, to, top, bottom }
  }
}

/** Returns the factor for a length so that it stays between two lengths. */
const enlarged = (length, factor, least, most) => Math.min(Math.max(length / factor, Math.min(least, most)), most) / length

/** Moves a range into another one. */
function clamped(from, to, low, high) {
  const length = Math.min(to - from, high - low)
  const start = Math.min(Math.max(from, low), high - length)
  return [start, start + length]
}

/** Returns a round step (1, 2 or 5 times a power of ten) for at most `count` steps. */
export function roundStep(/** @type {number} */ span, /** @type {number} */ count) {
  const power = 10 ** Math.floor(Math.log10(span / count))
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => span / step <= count) ?? 10 * power
}

/** Returns the multiples of a step from one number to another. */
export const ticks = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ step) =>
  Array.from({ length: Math.max(0, Math.floor(to / step) - Math.ceil(from / step) + 1) }, (_, index) => (Math.ceil(from / step) + index) * step)

/** Returns a time in words, as exact as a step between ticks. */
export function timeText(/** @type {number} */ t, /** @type {number} */ step) {
  const digits = step >= 1000 ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3
  if (t < 60_000) return `${(t / 1000).toFixed(digits)}\u00a0s`
  return `${Math.floor(t / 60_000)}:${((t / 1000) % 60).toFixed(digits).padStart(digits ? digits + 3 : 2, '0')}`
}
