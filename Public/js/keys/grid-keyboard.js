// Implements the grid pattern of WAI-ARIA: one tab stop, arrow keys by geometry. If the focused cell is removed, the grid keeps the focus.

import { focused } from './focused.js'
import { keyTarget } from './grid-steps.js'

export class GridKeyboard {
  /** The item that has the tab stop. */
  active = 0
  #layer
  /** @type {import('../grid/grid.js').Grid} */
  #grid
  /** @type {import('../scroll/scroller.js').Scroller} */
  #scroller
  /** @type {() => import('../layout/page-layout.js').Layout | null} */
  #layout
  #reveal
  #open
  #retry
  #stop = null // the element that is the tab stop now
  #waiting = false // whether `recycling` is moving the focus to the grid

  /** `layout()` returns the current layout. `reveal(item)` scrolls immediately to an item. `open(item, element)` opens the viewer. */
  constructor(layer, grid, scroller, { layout, reveal, open, retry }) {
    this.#layer = layer
    this.#grid = grid
    this.#scroller = scroller
    this.#layout = layout
    this.#reveal = reveal
    this.#open = open
    this.#retry = retry
    layer.addEventListener('keydown', (event) => this.#pressed(event))
    layer.addEventListener('focusin', (event) => {
      const cell = event.target.closest('.cell')
      if (cell) this.#enter(Number(cell.dataset.item), false)
      else if (event.target === layer) this.#enter(this.active, true)
    })
    layer.addEventListener('click', (event) => {
      const element = event.target.closest('.cell')
      if (!element || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault() // do not follow the link to the picture
      const item = Number(element.dataset.item)
      this.#enter(item, true)
      if (element.dataset.state === 'failed') this.#retry(item)
      else this.#open(item, element)
    })
  }

  get focused() {
    return this.#layer.contains(focused(this.#layer))
  }

  /** Moves the tab stop to a visible item, or to the grid itself. If the grid has the focus, the focus moves to the item, too. */
  settle(visible) {
    if (!this.focused && (this.active < visible.from || this.active >= visible.to)) this.active = Math.min(visible.from, Math.max(0, visible.to - 1))
    this.#place()
  }

  /** Called before a row is recycled. If one of its cells has the focus, moves the focus to the grid until the item is shown again. */
  recycling(row) {
    if (!row.contains(focused(row))) return
    this.#layer.tabIndex = 0
    this.#waiting = true
    this.#layer.focus({ preventScroll: true })
    this.#waiting = false
  }

  focus(item) {
    this.active = item
    this.#reveal(item)
    this.#place(true)
  }

  /** Takes the focus back from the viewer. Scrolls only if the item is not visible. */
  returned(item, visible) {
    this.active = item
    if (item < visible.from || item >= visible.to) this.#reveal(item)
    this.#place(true)
  }

  #enter(item, take) {
    if (this.#waiting) return
    this.active = item
    this.#place(take)
  }

  #place(take = false) {
    const cell = this.#grid.cell(this.active)?.element ?? this.#layer
    if (this.#stop !== cell) {
      if (this.#stop) this.#stop.tabIndex = -1
      this.#stop = cell
      this.#layer.tabIndex = -1
    }
    if (cell.tabIndex !== 0) cell.tabIndex = 0
    const onGrid = focused(this.#layer) === this.#layer && cell !== this.#layer
    if (take || onGrid) cell.focus({ preventScroll: true })
  }

  #pressed(event) {
    if (event.altKey || event.metaKey) return
    const layout = this.#layout()
    const next = layout && keyTarget(event, layout, this.active, this.#scroller.height)
    if (!layout || next === undefined) {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault()
        if (this.#grid.cell(this.active)?.state === 'failed') this.#retry(this.active)
        else this.#open(this.active, this.#grid.cell(this.active)?.element)
      }
      return
    }
    event.preventDefault()
    if (next !== null) this.focus(next)
  }
}
