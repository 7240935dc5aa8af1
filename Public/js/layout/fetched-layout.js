// A layout that the server computes (justified rows, masonry). Loads an index of heights first, then frames near the viewport in chunks.
// Missing chunks are requested and look empty until they arrive.

import { address, get } from '../session/api.js'
import { groupedInRows } from './rows.js'
import { lastNotAbove } from './sections.js'

const CHUNK = 1000 // items per chunk and per entry of the index
const CACHED = 48 // maximum number of cached chunks
const HANDFUL = 8 // items per row of masonry. The chunk size is a multiple
const REACH = 300 // maximum number of items searched for the neighbour above or below

export class FetchedLayout {
  width
  sections
  itemCount
  kind
  headerHeight
  pitch
  rowCount
  columns = -1
  contentHeight
  #options
  #path
  #arrived
  #firsts
  #chunks = new Map() // `{rows, firsts}` by chunk number, the oldest first
  #loading = new Map() // promises of the chunks being loaded
  #index

  /** `path` is the session's path. `arrived()` is called when missing frames have arrived. */
  constructor(options, width, sections, itemCount, path, arrived) {
    this.#options = options
    this.width = width
    this.sections = sections
    this.itemCount = itemCount
    this.#path = path
    this.#arrived = arrived
    this.kind = options.kind
    this.headerHeight = options.headerHeight
    this.pitch = options.rowHeight ?? options.columnWidth
    // Masonry has no rows. Screen readers get rows of `HANDFUL` items. The server reports the number of justified rows.
    this.rowCount = this.kind === 'masonry' ? Math.ceil(itemCount / HANDFUL) : -1
    this.#firsts = Float64Array.from(sections.map(({ from }) => from))
  }

  /** Loads the index of heights, and the frames around an item. */
  async load(item = 0) {
    const response = await fetch(address(`${this.#path}/layout/index`), { cache: 'no-store', credentials: 'include' })
    if (!response.ok) throw new Error(`The server responded to the layout index with ${response.status}.`)
    const view = new DataView(await response.arrayBuffer())
    const heights = new Float64Array(view.byteLength / 4)
    for (let index = 0; index < heights.length; index++) heights[index] = view.getUint32(index * 4, true)
    this.#index = heights.subarray(0, -1)
    this.contentHeight = heights[heights.length - 1]
    const chunk = Math.floor(item / CHUNK)
    await Promise.all([chunk - 1, chunk, chunk + 1].map((near) => this.#load(near)))
    return this
  }

  rows(y0, y1) {
    const found = []
    for (const { rows } of this.#loaded(y0, y1)) for (const row of rows) if (row.y < y1 && row.y + row.height > y0) found.push(row)
    return found
  }

  items(y0, y1) {
    let [from, to] = [Infinity, -1]
    for (const row of this.rows(y0, y1)) {
      for (let index = 0; index < row.count; index++) {
        const top = row.y + row.cells[index * 4 + 1]
        if (top >= y1 || top + row.cells[index * 4 + 3] <= y0) continue
        from = Math.min(from, row.from + index)
        to = Math.max(to, row.from + index + 1)
      }
    }
    if (to >= 0) return { from, to }
    const guess = Math.min(Math.max(0, this.itemCount - 1), this.#guess(y0))
    return { from: guess, to: guess }
  }

  frame(item) {
    const chunk = this.#chunks.get(Math.floor(item / CHUNK))
    if (!chunk) return void this.#load(Math.floor(item / CHUNK))
    const row = chunk.rows[lastNotAbove(chunk.firsts, item)]
    const cell = (item - row.from) * 4
    const [x, y, width, height] = row.cells.slice(cell, cell + 4)
    return { x, y: row.y + y, width, height }
  }

  /** Loads the frame of an item. Resolves to whether the frame is available. */
  async fetchFrame(item) {
    const chunk = Math.floor(item / CHUNK)
    await this.#load(chunk)
    return this.#chunks.has(chunk)
  }

  section(item) {
    return lastNotAbove(this.#firsts, item)
  }

  /** Returns the section at a height, the first one if several are side by side. */
  sectionAt(y) {
    const { from } = this.items(y, y + 2 * this.pitch)
    const section = this.section(from)
    const first = this.sideBySide(section).from
    return first > 0 && this.header(first).y > y ? this.sideBySide(first - 1).from : first
  }

  /** Returns the header of a section. Its position is an estimate until the section's frames have loaded. */
  header(section) {
    const { from, to } = this.sideBySide(section)
    const { left } = this.#options.sectionInset
    const x = section > from ? this.#first(section).x - left : 0
    const end = section + 1 < to ? this.#first(section + 1).x - left : this.width
    const top = this.#first(section)?.y ?? this.#height(this.sections[section].from)
    const y = Math.max(0, top - this.#options.sectionInset.top - this.headerHeight)
    return { section, ...this.sections[section], x, y, width: end - x, height: this.headerHeight, isSmall: this.#isSmall(section) }
  }

  headers(y0, y1) {
    if (!this.headerHeight || !this.#index) return []
    const found = []
    const { from } = this.items(y0, y1)
    for (let section = this.sideBySide(Math.max(0, this.section(from) - 1)).from; section < this.sections.length; section++) {
      const header = this.header(section)
      if (header.y >= y1) break
      if (header.y + header.height > y0 && this.#chunks.has(Math.floor(header.from / CHUNK))) found.push(header)
    }
    return found
  }

  /** Returns the sections in the same row as a section, as far as their frames have loaded: `{from, to}`. */
  sideBySide(section) {
    const y = this.#first(section)?.y
    let [from, to] = [section, section + 1]
    if (y === undefined || !this.#isSmall(section)) return { from, to }
    while (from > 0 && this.#isSmall(from - 1) && this.#first(from - 1)?.y === y) from -= 1
    while (to < this.sections.length && this.#isSmall(to) && this.#first(to)?.y === y) to += 1
    return { from, to }
  }

  #isSmall(section) {
    const { count } = this.sections[section]
    return count > 0 && count <= this.#options.smallSectionLimit
  }

  /** Returns the frame of a section's first item, if loaded. */
  #first(section) {
    const { from, count } = this.sections[section]
    return count && this.#chunks.has(Math.floor(from / CHUNK)) ? this.frame(from) : undefined
  }

  neighbour(item, direction) {
    if (direction === 'left') return item > 0 ? item - 1 : null
    if (direction === 'right') return item + 1 < this.itemCount ? item + 1 : null
    const here = this.frame(item)
    if (!here) return null
    const step = direction === 'down' ? 1 : -1
    let [best, cost] = [null, Infinity]
    for (let other = item + step; other >= 0 && other < this.itemCount && Math.abs(other - item) <= REACH; other += step) {
      const frame = this.frame(other)
      if (!frame) break
      const gap = step > 0 ? frame.y - here.y - here.height : here.y - frame.y - frame.height
      if (gap < -1) continue
      const aside = Math.abs(frame.x + frame.width / 2 - here.x - here.width / 2)
      if (gap * 4 + aside < cost) [best, cost] = [other, gap * 4 + aside]
    }
    return best
  }

  rowEnds(item) {
    const y = this.frame(item)?.y
    let [first, last] = [item, item]
    while (first > 0 && this.frame(first - 1)?.y === y) first -= 1
    while (last + 1 < this.itemCount && this.frame(last + 1)?.y === y) last += 1
    return { first, last }
  }

  *#loaded(y0, y1) {
    if (!this.#index) return
    // The columns of masonry end at different heights, so the neighbouring chunks may be visible, too.
    const first = Math.max(0, lastNotAbove(this.#index, y0) - 1)
    for (let chunk = first; chunk < this.#index.length && (chunk <= first + 1 || this.#index[chunk - 1] < y1); chunk++) {
      const loaded = this.#chunks.get(chunk)
      if (loaded) yield loaded
      else this.#load(chunk)
    }
  }

  #guess(y) {
    const chunk = lastNotAbove(this.#index, y)
    const next = this.#index[chunk + 1] ?? this.contentHeight
    return Math.floor((chunk + Math.min(1, Math.max(0, (y - this.#index[chunk]) / Math.max(1, next - this.#index[chunk])))) * CHUNK)
  }

  #height(item) {
    const chunk = Math.floor(item / CHUNK)
    const [top, next] = [this.#index[chunk] ?? this.contentHeight, this.#index[chunk + 1] ?? this.contentHeight]
    return top + ((next - top) * (item - chunk * CHUNK)) / CHUNK
  }

  #load(chunk) {
    if (chunk < 0 || chunk * CHUNK >= this.itemCount || this.#chunks.has(chunk)) return Promise.resolve()
    if (!this.#loading.has(chunk)) this.#loading.set(chunk, this.#fetch(chunk))
    return this.#loading.get(chunk)
  }

  async #fetch(chunk) {
    try {
      const from = chunk * CHUNK
      const { frames, row, rowCount } = await get(`${this.#path}/layout?from=${from}&to=${Math.min(from + CHUNK, this.itemCount)}`)
      this.rowCount = rowCount ?? this.rowCount
      this.#chunks.set(chunk, groupedInRows(frames, from, row ?? from / HANDFUL, this.kind === 'masonry' ? HANDFUL : Infinity))
      if (this.#chunks.size > CACHED) this.#chunks.delete(this.#chunks.keys().next().value)
      this.#arrived()
    } catch {
      // The connection reports the error. The chunk is requested again when it is next visible.
    } finally {
      this.#loading.delete(chunk)
    }
  }
}
