// Content that is higher than browsers can scroll, mapped to a height that they can: browsers stop between 8 and 33 million
// pixels (Chromium scrolls by single pixels only below 2^23).

const PHYSICAL = 8_000_000 // px that the browser scrolls at most

/** px at both ends of the content that always map one to one. */
export const END = 50_000

/** Positions in the content are virtual, those the browser scrolls to physical; both in px from the top. */
export class HeightCompression {
  contentHeight
  height
  #slope

  /** @param {number} contentHeight @param {number} height Of the viewport. */
  constructor(contentHeight, height) {
    this.contentHeight = contentHeight
    this.height = height
    this.#slope = (this.limit - 2 * END) / (this.physicalLimit - 2 * END)
  }

  /** Whether the content is too high to be scrolled as it is. */
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

  /** The last physical position. */
  get physicalLimit() {
    return this.physicalHeight - this.height
  }

  /** How far, px, the scrollbar may be from where it belongs at a virtual position: half a pixel of its track. */
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
