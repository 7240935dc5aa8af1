// Scrolls content of any height. Small movements are one to one. If the content is higher than the browser can scroll, the scrollbar
// and long jumps are scaled. After scrolling stops, the scrollbar is corrected without moving the content.

import { END, HeightCompression } from './height-compression.js'

const FAR = 1_000_000 // px from the origin at which the rows are positioned again, so that coordinates stay small
const DIRECT = 1000 // ms for which a wheel or finger explains a movement
const PAUSE = 120 // ms without movement after which the scrollbar is corrected

const clamp = (x, low, high) => Math.min(Math.max(x, low), high)

export class Scroller {
  element
  /** Position of the viewport in the content, px. */
  top = 0
  /** Position in the content that the rows' coordinates are relative to, px. */
  origin = 0
  /** Whether the person holds the scrollbar. */
  barHeld = false
  #compression
  #sizer
  #layers
  #moved
  #replaced
  #physical = 0 // the last seen scrollTop
  /** @type {number | null} */
  #home = null // position to return to, px; null unless the page shows another one for a while
  #direct = -Infinity // time of the last movement by a wheel or finger, ms
  #arrived = null // resolves the current glide
  #animation // the animation frame of the current glide
  #timer = 0

  /** `moved({delta, jump})` is called when `top` changes, `replaced()` when the origin changes. `signal` removes the listeners. */
  constructor(element, sizer, layers, { moved, replaced }, signal) {
    this.element = element
    this.#sizer = sizer
    this.#layers = layers
    this.#moved = moved
    this.#replaced = replaced
    this.#compression = new HeightCompression(0, element.clientHeight)
    element.addEventListener('scroll', () => this.#scrolled(), { passive: true })
    for (const type of ['wheel', 'touchmove']) {
      element.addEventListener(type, (event) => (this.#direct = event.timeStamp), { passive: true })
    }
    element.addEventListener('pointerdown', (event) => {
      this.barHeld = event.target === element && event.offsetX >= element.clientWidth
    })
    for (const type of ['pointerup', 'pointercancel', 'blur']) {
      addEventListener(type, () => {
        if (this.barHeld) this.#correctLater()
        this.barHeld = false
      }, { signal })
    }
  }

  get limit() {
    return this.#compression.limit
  }

  /** The person's own position, px. Differs from `top` only while another position is shown. */
  get home() {
    return this.#home ?? this.top
  }

  /** Whether another position than the person's own is shown. */
  get isAway() {
    return this.#home !== null
  }

  get contentHeight() {
    return this.#compression.contentHeight
  }

  /** Height of the viewport, px. */
  get height() {
    return this.#compression.height
  }

  get compressed() {
    return this.#compression.isNeeded
  }

  /** Sets the heights of content and viewport together with the scroll position. */
  resize(contentHeight, height, top) {
    this.#compression = new HeightCompression(contentHeight, height)
    this.#sizer.style.height = `${this.#compression.physicalHeight}px`
    this.#home = null
    this.#put(top)
  }

  /** Shows another position until the next movement, or returns to the person's own (null). Does not call `moved`. */
  lookAt(/** @type {number | null} */ top) {
    this.#stopAnimation()
    const { home } = this
    this.#home = top === null ? null : home
    this.#put(top ?? home)
  }

  /** Scrolls immediately. Calls `moved` if the position changes. */
  jump(top) {
    this.#stopAnimation()
    const [before, { isAway }] = [this.top, this]
    this.#home = null
    this.#put(top)
    if (this.top !== before || isAway) this.#moved({ delta: this.top - before, jump: true })
  }

  /** Scrolls with an animation. A long distance is shortened to its last part. Resolves at the end, or when interrupted. */
  glide(top) {
    this.#stopAnimation()
    this.#home = null
    const target = clamp(top, 0, this.limit)
    const away = target - this.top
    if (Math.abs(away) > 3 * this.height) this.#put(target - Math.sign(away) * 1.5 * this.height)
    const from = this.top
    const began = performance.now()
    const duration = 320
    return new Promise((resolve) => {
      this.#arrived = resolve
      const step = (now) => {
        const t = clamp((now - began) / duration, 0, 1)
        const before = this.top
        this.#put(from + (target - from) * (1 - (1 - t) ** 3))
        this.#moved({ delta: this.top - before, jump: true })
        if (t < 1) this.#animation = requestAnimationFrame(step)
        else this.#stopAnimation()
      }
      this.#animation = requestAnimationFrame(step)
    })
  }

  get gliding() {
    return this.#animation !== undefined
  }

  #stopAnimation() {
    if (this.#animation !== undefined) cancelAnimationFrame(this.#animation)
    this.#animation = undefined
    this.#arrived?.()
    this.#arrived = null
  }

  #put(top) {
    this.top = clamp(top, 0, this.limit)
    this.element.scrollTop = this.compressed ? Math.round(this.#compression.toPhysical(this.top)) : this.top
    this.#physical = this.element.scrollTop
    if (!this.compressed && this.#physical !== this.top && Math.abs(this.#physical - this.top) < 1) this.top = this.#physical
    this.#place()
  }

  #scrolled() {
    const now = performance.now()
    const physical = this.element.scrollTop
    const delta = physical - this.#physical
    if (delta === 0) return
    if (this.gliding) this.#stopAnimation()
    this.#physical = physical
    const before = this.top
    const { isAway } = this
    this.#home = null
    let jump = Math.abs(delta) > 3 * this.height
    if (!this.compressed) this.top = physical
    else if (this.barHeld || Math.abs(delta) > END || (jump && now - this.#direct > DIRECT)) {
      this.top = this.#compression.toVirtual(physical)
      jump = jump || this.barHeld
    } else {
      jump = false
      this.top = clamp(this.top + delta, 0, this.limit)
      const bottom = this.#compression.physicalLimit
      const atEdge = (physical <= 0 && this.top > 0) || (physical >= bottom - 1 && this.top < this.limit - 1)
      if (atEdge || Math.abs(physical - this.#compression.toPhysical(this.top)) > END / 2) this.#rebase()
    }
    this.#place()
    this.#moved({ delta: this.top - before, jump: jump || isAway })
    if (this.compressed) this.#correctLater()
  }

  #correctLater() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.barHeld || !this.compressed) return
      if (Math.abs(this.#physical - this.#compression.toPhysical(this.top)) >= this.#compression.tolerance(this.top)) {
        this.#rebase()
        this.#place()
      }
    }, PAUSE)
  }

  #rebase() {
    this.element.scrollTop = Math.round(this.#compression.toPhysical(this.top))
    this.#physical = this.element.scrollTop
  }

  #place() {
    if (Math.abs(this.top - this.origin) > FAR) {
      this.origin = Math.round(this.top)
      this.#replaced()
    }
    const shift = this.origin - (this.top - this.#physical)
    for (const layer of this.#layers) layer.style.transform = `translateY(${shift}px)`
  }

}
