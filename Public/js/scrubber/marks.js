// The marks of a gallery and their positions: its sections, or the months in which its pictures were taken.

import { lastNotAbove } from '../layout/sections.js'
import { labelsOf } from './labels.js'

/** @typedef {import('./labels.js').Label} Label */

export class Marks {
  /** Position of each mark in the content, px, in order. */
  tops
  /** First item of each mark. @type {number[]} */
  items
  /** @type {string[]} */
  titles
  /** Number of pictures in each month. Empty if the marks are sections. @type {number[]} */
  counts
  #makeLabels
  /** @type {Label[] | null} */
  #labels = null

  /**
   * @param {import('../layout/page-layout.js').Layout} layout
   * @param {import('../arrange/timeline.js').Timeline | null} timeline Null if the marks are sections.
   */
  constructor(layout, timeline) {
    const { sections } = layout
    const months = timeline?.marks
    this.tops = months ? months.map(({ from }) => topOf(layout, from)) : sections.map((_, section) => layout.header(section).y)
    this.items = (months ?? sections).map(({ from }) => from)
    this.titles = (months ?? sections).map(({ title }) => title)
    this.counts = months?.map(({ count }) => count) ?? []
    this.#makeLabels = () => months?.map(({ label }) => label) ?? labelsOf(sections)
  }

  /** One label per mark, created on first use. */
  get labels() {
    return (this.#labels ??= this.#makeLabels())
  }

  /** Returns the label for the current position. A month without more text gets its year. */
  current(/** @type {number} */ mark) {
    const label = this.labels[mark]
    const { within } = label
    return within === null || label.head.length > 3 ? label : { ...label, head: `${label.head} ${within}` }
  }

  /** Returns the marks (from ..< to) at the position of the last mark not below `y`. Sections side by side share a position. */
  at(/** @type {number} */ y) {
    const last = lastNotAbove(this.tops, y)
    let from = last
    while (from > 0 && this.tops[from - 1] === this.tops[last]) from -= 1
    return { from, to: last + 1 }
  }
}

/** Returns the position of an item, or an estimate if its frame has not loaded. */
export function topOf(layout, item) {
  const section = layout.section(item)
  const { from, count } = layout.sections[section]
  const { y } = layout.header(section)
  if (item === from) return y
  const end = section + 1 < layout.sections.length ? layout.header(section + 1).y : layout.contentHeight
  return layout.frame(item)?.y ?? y + ((item - from) / Math.max(1, count)) * (end - y)
}
