// The frames of a uniform grid, computed on the page so that placeholders need no response. Same formula as the server's:
// UICollectionViewFlowLayout, whose interitem spacing is a minimum. The remaining width of a row is distributed between its items.
// Small sections are placed side by side. The sections of one row form a group.

import { lastNotAbove } from './sections.js'

const MINIMUM_HEADER = 72 // px, as LayoutOptions.leastHeaderWidth on the server

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
  #inset
  #columnPitch
  #groups // the first section of each group, then the number of sections
  #tops // position of each group
  #firstRows // first row of each group
  #firsts // first item of each section
  #firstColumns // first column of each section
  #maximum // maximum number of items in a section that may share a row
  #cells

  /** `options` is the `layout` of the API, of kind grid. `width` of the viewport in px. `sections` of the gallery. */
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
    this.#columnPitch = this.#itemWidth + (this.columns > 1 ? (available - this.columns * this.#itemWidth) / (this.columns - 1) : 0)
    this.pitch = itemHeight + lineSpacing
    this.#inset = inset
    this.#firsts = Float64Array.from(sections.map(({ from }) => from))
    this.#firstColumns = new Float64Array(sections.length)
    const [groups, tops, firstRows] = [[], [], []]
    const headerColumns = Math.min(this.columns, Math.max(1, Math.ceil((headerHeight > 0 ? MINIMUM_HEADER : 0) / this.#columnPitch)))
    this.#maximum = Math.min(options.smallSectionLimit ?? 0, this.columns)
    let y = 0
    let rows = 0
    let used = this.columns // columns used in the row that the next section may share
    sections.forEach(({ count }, index) => {
      const isSmall = this.#isSmall(count)
      const wanted = isSmall ? Math.max(count, headerColumns) : this.columns
      if (isSmall && used + wanted <= this.columns) {
        this.#firstColumns[index] = used
        used += wanted
        return
      }
      groups.push(index)
      tops.push(y)
      firstRows.push(rows)
      used = wanted
      const high = Math.ceil(count / this.columns)
      rows += high
      y += headerHeight + inset.top + inset.bottom + (high ? high * this.pitch - lineSpacing : 0)
    })
    this.#groups = Float64Array.from([...groups, sections.length])
    this.#tops = Float64Array.from(tops)
    this.#firstRows = Float64Array.from(firstRows)
    this.contentHeight = y
    this.rowCount = rows
    // All rows share this list, so that a recycled row recognizes that its cells are already in place.
    this.#cells = new Float64Array(this.columns * 4)
    for (let column = 0; column < this.columns; column++) {
      this.#cells.set([inset.left + column * this.#columnPitch, 0, this.#itemWidth, itemHeight], column * 4)
    }
  }

  /** Returns the rows that overlap y0 ..< y1: `{key, y, height, from, count, cells}`. `cells`: x, y, width, height in the row. */
  rows(y0, y1) {
    const found = []
    for (let group = lastNotAbove(this.#tops, y0); group < this.#tops.length && this.#tops[group] < y1; group++) {
      const { from, count, cells } = this.#items(group)
      const top = this.#rowsTop(group)
      const last = Math.ceil(count / this.columns) - 1
      const begin = Math.max(0, Math.ceil((y0 - top - this.#itemHeight) / this.pitch + 1e-9))
      for (let row = begin; row <= last && top + row * this.pitch < y1; row++) {
        const first = from + row * this.columns
        found.push({
          key: first,
          index: this.#firstRows[group] + row,
          y: top + row * this.pitch,
          height: this.#itemHeight,
          from: first,
          count: Math.min(this.columns, from + count - first),
          cells,
        })
      }
    }
    return found
  }

  /** Returns the items of a group, and the cells of its rows. */
  #items(group) {
    const [begin, end] = [this.#groups[group], this.#groups[group + 1]]
    const { from } = this.sections[begin]
    const last = this.sections[end - 1]
    const count = last.from + last.count - from
    // If a title needs more columns than its section has items, there are gaps between the cells.
    const hasGaps = end - begin > 1 && this.#firstColumns[end - 1] !== last.from - from
    return { from, count, cells: hasGaps ? this.#cellsWithGaps(begin, end) : this.#cells }
  }

  #cellsWithGaps(begin, end) {
    const cells = []
    for (let section = begin; section < end; section++) {
      const column = this.#firstColumns[section]
      cells.push(...this.#cells.subarray(column * 4, (column + this.sections[section].count) * 4))
    }
    return Float64Array.from(cells)
  }

  #rowsTop(group) {
    return this.#tops[group] + this.headerHeight + this.#inset.top
  }

  #group(section) {
    return lastNotAbove(this.#groups, section)
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
      x: this.#cells[(this.#firstColumns[section] + (offset % this.columns)) * 4],
      y: this.#rowsTop(this.#group(section)) + row * this.pitch,
      width: this.#itemWidth,
      height: this.#itemHeight,
    }
  }

  /** Returns the items that overlap y0 ..< y1. */
  items(y0, y1) {
    const rows = this.rows(y0, y1)
    if (!rows.length) return { from: 0, to: 0 }
    const last = rows[rows.length - 1]
    return { from: rows[0].from, to: last.from + last.count }
  }

  #isSmall(count) {
    return count > 0 && count <= this.#maximum
  }

  /** Returns the headers that overlap y0 ..< y1: `{section, title, x, y, width, height, isSmall}`. */
  headers(y0, y1) {
    const found = []
    if (!this.headerHeight) return found
    for (let group = lastNotAbove(this.#tops, y0); group < this.#tops.length && this.#tops[group] < y1; group++) {
      if (this.#tops[group] + this.headerHeight <= y0) continue
      for (let section = this.#groups[group]; section < this.#groups[group + 1]; section++) found.push(this.header(section))
    }
    return found
  }

  header(section) {
    const group = this.#group(section)
    const x = this.#firstColumns[section] * this.#columnPitch
    const end = section + 1 < this.#groups[group + 1] ? this.#firstColumns[section + 1] * this.#columnPitch : this.width
    const isSmall = this.#isSmall(this.sections[section].count)
    return { section, ...this.sections[section], x, y: this.#tops[group], width: end - x, height: this.headerHeight, isSmall }
  }

  /** Returns the sections in the same row as a section: `{from, to}`. */
  sideBySide(section) {
    const group = this.#group(section)
    return { from: this.#groups[group], to: this.#groups[group + 1] }
  }

  /** Returns the section at a height, the first one if several are side by side. */
  sectionAt(y) {
    return this.#groups[lastNotAbove(this.#tops, y)]
  }

  /** Returns the item that an arrow key leads to, or null at the edge. */
  neighbour(item, direction) {
    if (direction === 'left') return item > 0 ? item - 1 : null
    if (direction === 'right') return item + 1 < this.itemCount ? item + 1 : null
    const step = direction === 'down' ? 1 : -1
    const group = this.#group(this.section(item))
    const { from, count } = this.#items(group)
    const row = Math.floor((item - from) / this.columns) + step
    const rows = Math.ceil(count / this.columns)
    const { x } = this.frame(item)
    if (row >= 0 && row < rows) return this.#nearest(group, row, x)
    for (let other = group + step; other >= 0 && other < this.#tops.length; other += step) {
      const next = this.#items(other)
      if (next.count) return this.#nearest(other, step > 0 ? 0 : Math.ceil(next.count / this.columns) - 1, x)
    }
    return null
  }

  /** Returns the last item of a row that begins at or left of x. */
  #nearest(group, row, x) {
    const { from, count, cells } = this.#items(group)
    const first = row * this.columns
    let index = Math.min(this.columns, count - first) - 1
    while (index > 0 && cells[index * 4] > x) index -= 1
    return from + first + index
  }

  rowEnds(item) {
    const { from, count } = this.#items(this.#group(this.section(item)))
    const first = item - ((item - from) % this.columns)
    return { first, last: Math.min(first + this.columns, from + count) - 1 }
  }
}
