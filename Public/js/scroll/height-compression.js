// Maps content that is too high for browsers to a height that they can scroll. Browsers stop between 8 and 33 million px. Chromium
// scrolls by single pixels only below 2^23.

const PHYSICAL = 8_000_000 // maximum px that the browser scrolls

/** px at both ends of the content that are mapped one to one. */
export const END = 50_000

/** Positions in the content are virtual. Scroll positions of the browser are physical. Both are in px from the top. */
export class HeightCompression {
  contentHeight
  height
  #slope

  /** @param {number} contentHeight px @param {number} height of the viewport, px */
  constructor(contentHeight, height) {
    this.contentHeight = contentHeight
    this.height = height
    this.#slope = (this.limit - 2 * END) / (this.physicalLimit - 2 * END)
  }

  /** Whether the content is too high to be scrolled one to one. */
  get isNeeded() {
    return this.contentHeight > PHYSICAL
  }

  get physicalHeight() {
    return Math.min(this.contentHeight, PHYSICAL)
  }

  /** The last virtual position. */
  get limit() {
    return Math.max(0, this.contentHeight - this.height)
  }

  get physicalLimit() {
    return this.physicalHeight - this.height
  }

  /** Returns how far the scrollbar may be from its correct position, in px: half a pixel of its track, or 1 near both ends. */
  tolerance(v) {
    return v < 2 * END || v > this.limit - 2 * END ? 1 : PHYSICAL / this.height / 2
  }

  toPhysical(/** @type {number} */ v) {
    if (v <= END) return v
    if (v >= this.limit - END) return this.physicalLimit - (this.limit - v)
    return END + (v - END) / this.#slope
  }

  toVirtual(/** @type {number} */ p) {
    if (p <= END) return p
    if (p >= this.physicalLimit - END) return this.limit - (this.physicalLimit - p)
    return END + (p - END) * this.#slope
  }
}
