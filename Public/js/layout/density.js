// Cell size, changed with a slider, Ctrl and the wheel, or a two-finger pinch. The item under the pointer stays in place.

import { parameter, setParameters } from '../page/address-bar.js'
import { DENSITIES, densityIn, USUAL } from './layout-options.js'

const NOTCH = 60 // px of wheel movement per step
const PINCH = 1.3 // ratio of finger distances per step

export class Density {
  /** An index of `DENSITIES`. */
  value
  #slider
  #apply

  /** `apply(density, item, at)` keeps an item in place: the one under the pointer, `at` px below the window's top, or the first visible. */
  constructor(slider, scroller, apply) {
    this.#slider = slider
    this.#apply = apply
    slider.max = DENSITIES.length - 1
    this.value = densityIn(parameter('size'))
    slider.value = this.value
    slider.addEventListener('input', () => this.#set(Number(slider.value)))
    this.#wheel(scroller)
    this.#pinch(scroller)
  }

  // A non-passive wheel listener makes scrolling wait for the page, so it is added only while Ctrl is held.
  #wheel(scroller) {
    let sum = 0
    const turned = (event) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      sum += event.deltaY
      if (Math.abs(sum) < NOTCH) return
      this.#set(this.value - Math.sign(sum), event)
      sum = 0
    }
    addEventListener('keydown', (event) => event.key === 'Control' && scroller.addEventListener('wheel', turned, { passive: false }))
    for (const type of ['keyup', 'blur']) {
      addEventListener(type, (event) => (!(event instanceof KeyboardEvent) || event.key === 'Control') && scroller.removeEventListener('wheel', turned))
    }
  }

  #pinch(scroller) {
    let apart = 0
    const distance = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)
    scroller.addEventListener('touchstart', (event) => (apart = event.touches.length === 2 ? distance(event.touches) : 0), { passive: true })
    scroller.addEventListener('touchmove', (event) => {
      if (!apart || event.touches.length !== 2) return
      const now = distance(event.touches)
      const step = now > apart * PINCH ? 1 : now < apart / PINCH ? -1 : 0
      if (!step) return
      apart = now
      const [a, b] = event.touches
      this.#set(this.value + step, { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 })
    }, { passive: true })
  }

  #set(value, pointer) {
    const next = Math.min(Math.max(value, 0), DENSITIES.length - 1)
    if (next === this.value) return
    this.value = next
    this.#slider.value = next
    setParameters({ size: next === USUAL ? null : next })
    /** @type {HTMLElement | null} */
    const cell = pointer && document.elementFromPoint(pointer.clientX, pointer.clientY)?.closest('.cell')
    this.#apply(next, cell ? Number(cell.dataset.item) : undefined, pointer?.clientY)
  }
}
