// The marks of a gallery, and where each begins: its sections, or the months in which its pictures were taken.

import { lastNotAbove } from '../layout/sections.js'
import { labelsOf } from './labels.js'

/** @typedef {import('./labels.js').Label} Label */

export class Marks {
  /** Where each begins, px of the content, in order. */
  tops
  /** The first item of each. @type {number[]} */
  items
  /** @type {string[]} */
  titles
  /** Pictures of each month; none where they are sections. @type {number[]} */
  counts
  #makeLabels
  /** @type {Label[] | null} */
  #labels = null

  /**
   * @param {import('../layout/page-layout.js').Layout} layout
   * @param {import('../arrange/timeline.js').Timeline | null} timeline Where dates lead.
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

  /** One a mark, made when they are first wanted. */
  get labels() {
    return (this.#labels ??= this.#makeLabels())
  }

  /** The text of the mark at the present place: of a month alone with its year. */
  current(/** @type {number} */ mark) {
    const label = this.labels[mark]
    const { within } = label
    return within === null || label.head.length > 3 ? label : { ...label, head: `${label.head} ${within}` }
  }

  /** The marks that begin where the one at a height does: `{from, to}`, from ..< to. Several stand side by side. */
  at(/** @type {number} */ y) {
    const last = lastNotAbove(this.tops, y)
    let from = last
    while (from > 0 && this.tops[from - 1] === this.tops[last]) from -= 1
    return { from, to: last + 1 }
  }
}

/** Where an item begins; about there, where the layout has not that part of itself yet. */
function topOf(layout, item) {
  const section = layout.section(item)
  const { from, count } = layout.sections[section]
  const { y } = layout.header(section)
  if (item === from) return y
  const end = section + 1 < layout.sections.length ? layout.header(section + 1).y : layout.contentHeight
  return layout.frame(item)?.y ?? y + ((item - from) / Math.max(1, count)) * (end - y)
}
