// Renders the rows near the viewport. Rows are recycled and stay in reading order for screen readers.

import { Cell } from './cell.js'
import { nextFrame } from './next-frame.js'

const HURRY = 24 // px per frame. At a higher speed, pictures are shown from the next frame on
const PAUSE = 150 // ms without movement after which the content has stopped
const ROOM = 8 // ms per frame for showing pictures. With less, a slow browser shows fewer pictures than arrive

class Row {
  element
  cells = []
  layoutCells = null
  key = null
  constructor() {
    this.element = document.createElement('div')
    this.element.className = 'row'
    this.element.setAttribute('role', 'row')
  }
}

export class Grid {
  layer
  /** @type {{top: number, height: number, origin: number}} Position of the viewport in the content, px. */
  scroller
  /** @type {import('../layout/page-layout.js').Layout | null} */
  layout = null
  #recycling
  #sources
  #rows = new Map() // by the first item of the row
  #spare = [] // unused rows
  #cellOf = new Map() // by item
  #lead = 0 // smoothed scroll speed in px per frame, signed
  #movedAt = -Infinity // ms
  #renumbered = null // maps an item to its new number, or null if removed. Set until the layout with the new numbers is applied
  #arrivals = new Map() // items whose pictures are waiting to be shown, and whether they have just arrived
  #welcoming = null // pending until all arrivals are shown

  /**
   * `layer` contains the rows. `recycling(row element)` is called before a row gets other items. All other options are for the cells.
   */
  constructor(layer, scroller, { thumbnails, describe, hash, color, recycling, isSelected = (_item) => false, known = undefined }) {
    this.layer = layer
    this.scroller = scroller
    this.#recycling = recycling
    this.#sources = { thumbnails, describe, hash, color, isSelected, known }
  }

  /** Connects a grid of the first screen to the page: its scroller and its sources. */
  join(scroller, { describe, hash, color, recycling, isSelected, known }) {
    this.scroller = scroller
    this.#recycling = recycling
    Object.assign(this.#sources, { describe, hash, color, isSelected, known })
    for (const cell of this.cells()) cell.learn()
  }

  setLayout(layout) {
    if (layout === this.layout) return
    this.layout = layout
    this.#carry(this.#renumbered ?? ((item) => item))
    for (const row of this.#rows.values()) this.#release(row)
    this.#rows.clear()
    // Rows of the former layout may have many more cells. Only a few are worth keeping.
    for (const row of this.#spare) {
      row.layoutCells = null
      for (const cell of row.cells.splice(Math.max(1, layout.columns))) cell.element.remove()
    }
    this.layer.setAttribute('aria-rowcount', layout.rowCount ?? -1)
    this.layer.setAttribute('aria-colcount', layout.columns ?? -1)
  }

  /**
   * Renumbers the items: `to(item)` returns the new number, or null if removed. The cells stay as they are until the layout with the new
   * numbers is set. Then every picture is immediately in its new place.
   */
  move(to) {
    const former = this.#renumbered
    this.#renumbered = former ? (item) => (former(item) === null ? null : to(former(item))) : to
    this.#cellOf.clear()
  }

  /** Collects the images of all cells for the items' next cells, so that no picture disappears for a frame. */
  #carry(to) {
    this.#renumbered = null
    const moved = new Map()
    for (const cell of this.#allCells()) {
      const next = cell.item < 0 ? null : to(cell.item)
      const given = cell.give()
      if (next !== null && given) moved.set(next, given)
    }
    this.#sources.moved = moved
  }

  *#allCells() {
    for (const row of [...this.#rows.values(), ...this.#spare]) yield* row.cells
  }

  /** Empties every cell because another gallery is shown. */
  forget() {
    this.#renumbered = null
    for (const cell of this.#allCells()) cell.forget()
  }

  /** Renders the rows around the viewport. `delta` is the last movement in px. Faster scrolling renders more rows ahead. */
  render(delta = 0) {
    const { layout, scroller } = this
    if (!layout || this.#renumbered) return
    const { top, height } = scroller
    const pitch = layout.pitch ?? 200
    if (delta) this.#movedAt = performance.now()
    this.#lead = Math.abs(delta) > Math.abs(this.#lead) ? delta : this.#lead * 0.8 + delta * 0.2
    const ahead = Math.min(height, 2 * Math.abs(this.#lead) + 2 * pitch)
    const behind = Math.min(height / 2, 2 * pitch)
    const [above, below] = this.#lead < 0 ? [ahead, behind] : [behind, ahead]
    const wanted = layout.rows(Math.max(0, top - above), top + height + below)

    const keys = new Set()
    for (const row of wanted) keys.add(row.key)
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue
      this.#release(row)
      this.#rows.delete(key)
    }
    // From the last row to the first, so that each row's successor is already in place.
    let next = null
    for (let index = wanted.length - 1; index >= 0; index--) {
      const frame = wanted[index]
      let row = this.#rows.get(frame.key)
      if (!row) {
        row = this.#spare.pop() ?? new Row()
        this.#assign(row, frame)
        this.#rows.set(frame.key, row)
        this.#insert(row.element, next)
      }
      next = row.element
    }
    this.#sources.moved = undefined
    for (const row of this.#spare) if (!row.element.hidden) row.element.hidden = true
    const maximum = (3 * height) / pitch // three screens
    while (this.#spare.length && this.#rows.size + this.#spare.length > maximum) this.#spare.pop().element.remove()
  }

  /** Call this when an item's picture has arrived. Its cell then shows the picture, in fast movement from the next frame on. */
  arrived(item) {
    this.#expect(item, true)
  }

  #expect(item, isFresh) {
    this.#arrivals.set(item, isFresh || this.#arrivals.get(item))
    // Without fast movement, loading starts before the next frame. The first screen then appears a frame earlier.
    this.#welcoming ??= (isFresh && this.#isCalm ? Promise.resolve() : nextFrame()).then(() => this.#welcome())
  }

  /** Whether there is time for showing pictures: the content is slow or does not move. */
  get #isCalm() {
    return Math.abs(this.#lead) < HURRY || performance.now() - this.#movedAt > PAUSE
  }

  /** Shows as many pictures as a frame has time for. The others follow in the next frames if they still have cells. */
  async #welcome() {
    const now = performance.now()
    for (const [item, isFresh] of this.#arrivals) {
      this.#arrivals.delete(item)
      const cell = this.cell(item)
      if (!cell) continue
      if (isFresh) cell.learn() // the picture's hash arrived, too
      cell.refresh()
      await null // lets the cell begin to show the picture, so that its time counts
      if (performance.now() - now > ROOM) break
    }
    this.#welcoming = this.#arrivals.size ? nextFrame().then(() => this.#welcome()) : null
  }

  /** Updates the cells of a range of items. Call this when more is known about the items. */
  learn({ from, to }) {
    for (const cell of this.cells()) if (cell.item >= from && cell.item < to) cell.learn()
  }

  /** Positions every row again. Call this when the scroller's origin has moved. */
  replace() {
    for (const row of this.#rows.values()) this.#move(row)
  }

  cell(item) {
    return this.#cellOf.get(item)
  }

  cells() {
    return this.#cellOf.values()
  }

  #assign(row, frame) {
    row.key = frame.key
    row.y = frame.y
    const { element } = row
    if (element.hidden) element.hidden = false
    element.setAttribute('aria-rowindex', frame.index + 1)
    if (row.height !== frame.height) {
      row.height = frame.height
      element.style.height = `${frame.height}px`
    }
    this.#move(row)
    while (row.cells.length < frame.count) {
      const cell = new Cell(this.#sources)
      cell.element.setAttribute('aria-colindex', row.cells.length + 1)
      row.cells.push(cell)
      element.append(cell.element)
      row.layoutCells = null
    }
    const settled = row.layoutCells === frame.cells
    const { top, height } = this.scroller
    const isInSight = frame.y < top + height && frame.y + frame.height > top
    row.cells.forEach((cell, index) => {
      const used = index < frame.count
      if (cell.element.hidden === used) cell.element.hidden = !used
      if (!used) return
      if (!settled) cell.place(frame.cells[index * 4], frame.cells[index * 4 + 1], frame.cells[index * 4 + 2], frame.cells[index * 4 + 3])
      cell.assign(frame.from + index, isInSight)
      this.#cellOf.set(cell.item, cell)
      if (!isInSight && cell.isOutdated) this.#expect(cell.item, false)
    })
    row.layoutCells = frame.count * 4 === frame.cells.length || row.cells.length * 4 === frame.cells.length ? frame.cells : null
  }

  #release(row) {
    this.#recycling(row.element)
    for (const cell of row.cells) if (this.#cellOf.get(cell.item) === cell) this.#cellOf.delete(cell.item)
    row.key = null
    this.#spare.push(row)
  }

  #move(row) {
    row.element.style.transform = `translateY(${row.y - this.scroller.origin}px)`
  }

  #insert(element, next) {
    if (element.parentNode && this.layer.moveBefore) this.layer.moveBefore(element, next)
    else this.layer.insertBefore(element, next)
  }
}
