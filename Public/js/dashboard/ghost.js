// A frame on the rail at the expected stop, while the content scrolls. At rest it snaps to the real place and shows the error in rows.

const REST = 150 // ms after the last movement until the scroll counts as stopped
const BEFORE = 500 // ms before the last movement at which the expected stop is compared with the real one
const LINGERS = 1500 // ms that the error stays visible
const SCREENS = 3 // maximum possible error, in screens
const ERROR = 900 // px of possible error at which the server's confidence is 1/2

const number = new Intl.NumberFormat('en')

/**
 * Returns how far from the expected stop the scroll may stop, in px. The server derives the confidence of a drag's stop from the spread of
 * earlier drags, as 1 / (1 + error / 900). This is the inverse, for all movements.
 */
export const possibleError = (/** @type {number} */ confidence, /** @type {number} */ height) =>
  Math.min(SCREENS * height, ERROR * (1 / confidence - 1))

/** Returns an error in words, given the distance of two rows, both in px. */
export function errorText(/** @type {number} */ error, /** @type {number} */ pitch) {
  const rows = Math.round(Math.abs(error) / pitch)
  return rows === 0 ? 'exact' : `${number.format(rows)} ${rows === 1 ? 'row' : 'rows'} off`
}

/** Compares the stops that the server expects during a movement with the real one. */
export class ExpectedStops {
  /** Time of the last movement, ms. */
  moved = -Infinity
  #top
  #plan
  /** @type {{t: number, top: number}[]} */
  #stops = []

  constructor(/** @type {number} */ top, plan = null) {
    this.#top = top
    this.#plan = plan
  }

  /** Adds the position at a time (ms) and the server's latest plan. Returns whether the content moves. */
  add(/** @type {number} */ now, /** @type {number} */ top, plan) {
    if (top !== this.#top) {
      if (now - this.moved >= REST) this.#stops = []
      this.#top = top
      this.moved = now
      while (this.#stops[1]?.t <= now - BEFORE) this.#stops.shift()
    }
    const isMoving = now - this.moved < REST
    // At the start of a movement the server may not know of it yet.
    if (isMoving && plan !== this.#plan && plan?.velocity) this.#stops.push({ t: now, top: plan.landing.scrollTop })
    this.#plan = plan
    return isMoving
  }

  /**
   * Distance in px from the stop that was expected half a second before the last movement, or first in a shorter one. Null if the server
   * expected no stop before it, as after a jump.
   */
  get error() {
    const [first] = this.#stops
    return first && first.t < this.moved ? this.#top - first.top : null
  }
}

export class Ghost {
  #element = document.createElement('div')
  #text = document.createElement('small')
  /** @type {ExpectedStops | null} Null until the first drawing, and after `hide`. */
  #stops = null
  #layout = null
  #settled = -Infinity // time of the stop, ms. NaN during a movement

  constructor(/** @type {HTMLElement} */ rail) {
    this.#element.dataset.part = 'ghost'
    this.#element.setAttribute('aria-hidden', 'true')
    this.#element.append(this.#text)
    this.hide()
    rail.querySelector('[data-part="bubble"]').before(this.#element)
  }

  hide() {
    this.#element.hidden = true
    this.#stops = null
    this.#settled = -Infinity
  }

  /** Draws the moment `now` (ms). Call this in each frame of a movement, and repeatedly after it. */
  draw({ layout, scroller: { home: top, height }, scrubber, prefetchState: { plan }, visible }, now) {
    if (layout !== this.#layout || !this.#stops) {
      this.hide() // positions have a new meaning
      this.#layout = layout
      this.#stops = new ExpectedStops(top, plan)
    }
    if (this.#stops.add(now, top, plan)) {
      this.#settled = NaN
      if (!plan?.landing) return
      const { scrollTop, confidence } = plan.landing
      const error = possibleError(confidence, height)
      this.#show(scrubber.span(scrollTop - error, scrollTop + error), '')
    } else if (Number.isNaN(this.#settled)) {
      this.#settled = now
      const { error } = this.#stops
      const pitch = layout.pitch ?? layout.frame(visible.from)?.height
      this.#element.hidden = true
      if (error !== null && pitch) this.#show(scrubber.span(top, top), errorText(error, pitch))
    } else if (now - this.#settled > LINGERS) this.#element.hidden = true
  }

  #show({ y, height }, /** @type {string} */ text) {
    this.#element.hidden = false
    this.#element.style.transform = `translateY(${y}px)`
    this.#element.style.height = `${height}px`
    this.#text.textContent = text
  }
}
