// The frames of a uniform grid, computed on the page so that a placeholder never waits for an answer. The same
// formula as the server's: UICollectionViewFlowLayout, whose interitem spacing is a minimum; the slack of a row is
// spread between its items.

import { lastNotAbove } from './sections.js'

export class GridLayout {
  options
  width
  sections
  itemCount
  headerHeight
  kind
  columns
  pitch
  contentHeight
  rowCount
  #itemHeight
  #itemWidth
  #spacing
  #inset
  #tops
  #firsts
  #firstRows
  #cells

  /** `options`: the `layout` of the API, of kind grid; `width` of the viewport in px; sections of the gallery. */
  constructor(options, width, sections, itemCount) {
    const { itemWidth, itemHeight, lineSpacing, interitemSpacing, sectionInset: inset, headerHeight } = options
    this.options = options
    this.width = width
    this.sections = sections
    this.itemCount = itemCount
    this.#itemHeight = itemHeight
    this.headerHeight = headerHeight
    this.kind = 'grid'
    const available = Math.max(1, width - inset.left - inset.right)
    this.#itemWidth = Math.min(itemWidth, available)
    this.columns = Math.max(1, Math.floor((available + interitemSpacing) / (this.#itemWidth + interitemSpacing)))
    this.#spacing = this.columns > 1 ? (available - this.columns * this.#itemWidth) / (this.columns - 1) : 0
    this.pitch = itemHeight + lineSpacing
    this.#inset = inset
    this.#tops = new Float64Array(sections.length)
    this.#firsts = new Float64Array(sections.length)
    this.#firstRows = new Float64Array(sections.length)
    let y = 0
    let rows = 0
    sections.forEach((section, index) => {
      this.#tops[index] = y
      this.#firsts[index] = section.from
      this.#firstRows[index] = rows
      const count = Math.ceil(section.count / this.columns)
      rows += count
      y += headerHeight + inset.top + inset.bottom + (count ? count * this.pitch - lineSpacing : 0)
    })
    this.contentHeight = y
    this.rowCount = rows
    // One list for every row, so that a recycled row sees at a glance that its cells already stand right.
    this.#cells = new Float64Array(this.columns * 4)
    for (let column = 0; column < this.columns; column++) {
      this.#cells.set([inset.left + column * (this.#itemWidth + this.#spacing), 0, this.#itemWidth, itemHeight], column * 4)
    }
  }

  /** Rows that overlap y0 ..< y1: `{key, y, height, from, count, cells}`, cells as x, y, width, height from the row's corner. */
  rows(y0, y1) {
    const found = []
    for (let section = lastNotAbove(this.#tops, y0); section < this.sections.length && this.#tops[section] < y1; section++) {
      const { from, count } = this.sections[section]
      const top = this.#tops[section] + this.headerHeight + this.#inset.top
      const last = Math.ceil(count / this.columns) - 1
      const begin = Math.max(0, Math.ceil((y0 - top - this.#itemHeight) / this.pitch + 1e-9))
      for (let row = begin; row <= last && top + row * this.pitch < y1; row++) {
        const first = from + row * this.columns
        found.push({
          key: first,
          index: this.#firstRows[section] + row,
          y: top + row * this.pitch,
          height: this.#itemHeight,
          from: first,
          count: Math.min(this.columns, from + count - first),
          cells: this.#cells,
        })
      }
    }
    return found
  }

  section(item) {
    let section = lastNotAbove(this.#firsts, item)
    while (section > 0 && this.sections[section].count === 0) section--
    return section
  }

  frame(item) {
    const section = this.section(item)
    const offset = item - this.sections[section].from
    const row = Math.floor(offset / this.columns)
    return {
      x: this.#cells[(offset % this.columns) * 4],
      y: this.#tops[section] + this.headerHeight + this.#inset.top + row * this.pitch,
      width: this.#itemWidth,
      height: this.#itemHeight,
    }
  }

  /** The items that overlap y0 ..< y1. */
  items(y0, y1) {
    const rows = this.rows(y0, y1)
    if (!rows.length) return { from: 0, to: 0 }
    const last = rows[rows.length - 1]
    return { from: rows[0].from, to: last.from + last.count }
  }

  /** Headers that overlap y0 ..< y1: `{section, title, y, height}`. */
  headers(y0, y1) {
    const found = []
    if (!this.headerHeight) return found
    for (let section = lastNotAbove(this.#tops, y0); section < this.sections.length && this.#tops[section] < y1; section++) {
      if (this.#tops[section] + this.headerHeight > y0) found.push(this.header(section))
    }
    return found
  }

  header(section) {
    return { section, ...this.sections[section], y: this.#tops[section], height: this.headerHeight }
  }

  sectionAt(y) {
    return lastNotAbove(this.#tops, y)
  }

  /** Where an arrow leads from an item; null at the edge. */
  neighbour(item, direction) {
    if (direction === 'left') return item > 0 ? item - 1 : null
    if (direction === 'right') return item + 1 < this.itemCount ? item + 1 : null
    const step = direction === 'down' ? 1 : -1
    const section = this.section(item)
    const column = (item - this.sections[section].from) % this.columns
    const { from, count } = this.sections[section]
    const target = item + step * this.columns
    if (target >= from && target < from + count) return target
    if (step > 0 && item - column + this.columns < from + count) return from + count - 1 // a shorter last row
    for (let other = section + step; other >= 0 && other < this.sections.length; other += step) {
      const next = this.sections[other]
      if (!next.count) continue
      if (step > 0) return next.from + Math.min(column, next.count - 1)
      const row = Math.floor((next.count - 1) / this.columns) * this.columns
      return next.from + Math.min(row + column, next.count - 1)
    }
    return null
  }

  rowEnds(item) {
    const section = this.section(item)
    const { from, count } = this.sections[section]
    const first = item - ((item - from) % this.columns)
    return { first, last: Math.min(first + this.columns, from + count) - 1 }
  }
}
