// A scroller over content of any height. Browsers stop between 8 and 33 million pixels (Chromium scrolls by single
// pixels only below 2^23), so the real scroll height never exceeds PHYSICAL. Nearby, scrolling is one to one; the
// scrollbar and long jumps are scaled; when scrolling rests, the scrollbar is quietly put where it belongs.

const PHYSICAL = 8_000_000
const END = 50_000 // px at both ends that always map one to one
const FAR = 1_000_000 // px from the origin at which rows are placed anew, so that their numbers stay small
const DIRECT = 1000 // ms for which a wheel or finger explains a movement
const REST = 120 // ms without movement after which the scrollbar may be moved

const clamp = (x, low, high) => Math.min(Math.max(x, low), high)

export class Scroller {
  element
  top = 0 // v: the virtual position of the viewport
  contentHeight = 0
  origin = 0
  height
  barHeld = false
  #sizer
  #layers
  #moved
  #replaced
  #physical = 0 // p: scrollTop as last seen
  #direct = -Infinity
  #arrived
  #animation
  #timer

  /** `moved({delta, jump})` hears of every change of `top`; `replaced()` when the origin changed. */
  constructor(element, sizer, layers, { moved, replaced }) {
    this.element = element
    this.#sizer = sizer
    this.#layers = layers
    this.#moved = moved
    this.#replaced = replaced
    this.height = element.clientHeight
    element.addEventListener('scroll', () => this.#scrolled(), { passive: true })
    for (const type of ['wheel', 'touchmove']) {
      element.addEventListener(type, (event) => (this.#direct = event.timeStamp), { passive: true })
    }
    element.addEventListener('pointerdown', (event) => {
      this.barHeld = event.target === element && event.offsetX >= element.clientWidth
    })
    for (const type of ['pointerup', 'pointercancel', 'blur']) {
      addEventListener(type, () => {
        if (this.barHeld) this.#rest()
        this.barHeld = false
      })
    }
  }

  get limit() {
    return Math.max(0, this.contentHeight - this.height)
  }

  get compressed() {
    return this.contentHeight > PHYSICAL
  }

  /** Sets both heights and where the content then stands, all in one. */
  resize(contentHeight, height, top) {
    this.contentHeight = contentHeight
    this.height = height
    this.#sizer.style.height = `${Math.min(contentHeight, PHYSICAL)}px`
    this.#put(top)
  }

  /** Moves at once; `moved` is told when this changed the position. */
  jump(top) {
    this.#stopAnimation()
    const before = this.top
    this.#put(top)
    if (this.top !== before) this.#moved({ delta: this.top - before, jump: true })
  }

  /** Moves in steps a person can follow: a long way starts close to its end. Resolves when there (or interrupted). */
  glide(top) {
    this.#stopAnimation()
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
    this.element.scrollTop = this.compressed ? Math.round(this.#toPhysical(this.top)) : this.top
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
    let jump = Math.abs(delta) > 3 * this.height
    if (!this.compressed) this.top = physical
    else if (this.barHeld || Math.abs(delta) > END || (jump && now - this.#direct > DIRECT)) {
      this.top = this.#toVirtual(physical)
      jump = jump || this.barHeld
    } else {
      jump = false
      this.top = clamp(this.top + delta, 0, this.limit)
      const bottom = this.#physicalLimit
      const atEdge = (physical <= 0 && this.top > 0) || (physical >= bottom - 1 && this.top < this.limit - 1)
      if (atEdge || Math.abs(physical - this.#toPhysical(this.top)) > END / 2) this.#rebase()
    }
    this.#place()
    this.#moved({ delta: this.top - before, jump })
    if (this.compressed) this.#rest()
  }

  #rest() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.barHeld || !this.compressed) return
      const nearEnd = this.top < 2 * END || this.top > this.limit - 2 * END
      const tolerance = nearEnd ? 1 : PHYSICAL / this.height / 2 // half a pixel of the scrollbar's track
      if (Math.abs(this.#physical - this.#toPhysical(this.top)) >= tolerance) {
        this.#rebase()
        this.#place()
      }
    }, REST)
  }

  #rebase() {
    this.element.scrollTop = Math.round(this.#toPhysical(this.top))
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

  get #physicalLimit() {
    return Math.min(this.contentHeight, PHYSICAL) - this.height
  }

  get #slope() {
    return (this.limit - 2 * END) / (this.#physicalLimit - 2 * END)
  }

  #toPhysical(v) {
    if (v <= END) return v
    if (v >= this.limit - END) return this.#physicalLimit - (this.limit - v)
    return END + (v - END) / this.#slope
  }

  #toVirtual(p) {
    if (p <= END) return p
    if (p >= this.#physicalLimit - END) return this.limit - (this.#physicalLimit - p)
    return END + (p - END) * this.#slope
  }
}
