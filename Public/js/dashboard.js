// What the server is doing, beside the gallery: hidden it costs nothing.

import { parameter, setParameters } from './address-bar.js'
import { Figures } from './figures.js'
import { Lens, stateOf } from './lens.js'
import { Origin } from './origin.js'

const CALM = 100 // ms between two drawings at rest

export class Dashboard {
  /** `scene()` gives what there is to draw: layout, scroller, pictures, work, visible, itemCount; or null. `toggled` hears of a change. */
  constructor(panel, button, grid, scene) {
    Object.assign(this, { panel, button, grid, scene })
    const part = (name) => panel.querySelector(`[data-part="${name}"]`)
    this.lens = new Lens(part('lens'), part('whole'), panel.querySelectorAll('[data-swatch]'))
    this.figures = new Figures(part('figures'))
    this.origin = new Origin(part('origin'))
    this.arrivals = 0
    this.cancels = 0
    button.addEventListener('click', () => this.toggle())
    addEventListener('keydown', (event) => {
      if (event.key !== 'd' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, select, dialog')) return
      this.toggle()
    })
    if (parameter('dashboard') !== null) this.toggle(true)
  }

  get isOpen() {
    return !this.panel.hidden
  }

  toggle(open = !this.isOpen) {
    this.panel.hidden = !open
    this.button.setAttribute('aria-pressed', open)
    document.documentElement.toggleAttribute('data-dashboard', open)
    setParameters({ dashboard: open ? '' : null })
    clearInterval(this.timer)
    if (open) {
      this.timer = setInterval(() => this.#draw(), CALM)
      this.origin.learn()
      this.#draw()
    } else for (const cell of this.grid.layer.querySelectorAll('[data-ring]')) delete cell.dataset.ring
  }

  arrived() {
    this.arrivals += 1
  }

  /** Takes the `stats` of a second. */
  stats(stats, { cancelled, roundTrip }) {
    const share = stats.visibleTime > 0 ? stats.blankTime / stats.visibleTime : stats.visibleTime === 0 ? 0 : NaN
    this.figures.add({
      hits: stats.hitRatio, blank: share, rate: this.arrivals, cancelled: Math.max(0, cancelled - this.cancels),
      wasted: stats.wastedBytes, trip: roundTrip,
    })
    this.arrivals = 0
    this.cancels = cancelled
    if (this.isOpen) this.figures.draw()
  }

  moved() {
    if (!this.isOpen || this.frame) return
    this.frame = requestAnimationFrame(() => {
      this.frame = null
      this.#draw()
    })
  }

  #draw() {
    const scene = this.isOpen && !document.hidden && this.scene()
    if (!scene) return
    this.lens.draw(scene)
    const now = performance.now()
    for (const cell of this.grid.cells()) {
      const state = stateOf(cell.item, scene, now)
      if (cell.element.dataset.ring !== state) cell.element.dataset.ring = state
    }
  }
}
