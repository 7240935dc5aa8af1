// When the pictures of a gallery were taken, month by month, in the order in which they stand.

import { monthInWords } from '../grid/picture-in-words.js'
import { lastNotAbove } from '../layout/sections.js'

/** @typedef {{month: string, from: number, count: number}} Month `month` as `2019-07`. */

export class Timeline {
  /** @type {Month[]} In the order of the gallery, which is that of the dates or the opposite. */
  months
  /** Pictures without a date: they come last. */
  undated
  #froms

  /** `answer`: what the API gives for the timeline of a gallery that is sorted by date. */
  constructor({ months = [], undated = { from: 0, count: 0 } }) {
    this.months = months.filter(({ count }) => count > 0).sort((one, other) => one.from - other.from)
    this.undated = undated
    this.#froms = this.months.map(({ from }) => from)
  }

  /** The month an item was taken in, `{month, from, count}`; null where that is not known. */
  monthOf(/** @type {number} */ item) {
    const month = this.months[lastNotAbove(this.#froms, item)]
    return month && item >= month.from && item < month.from + month.count ? month : null
  }

  /** In words: `July 2019`; `No date` for those without one. */
  nameOf(/** @type {number} */ item) {
    const found = this.monthOf(item)
    return found ? monthInWords(found.month) : this.months.length ? 'No date' : ''
  }

  /** The item where a date begins, `2019`, `2019-07` or `2019-07-12`, or the next one after it in the gallery; null without dates. */
  itemAt(/** @type {string} */ date) {
    if (!this.months.length) return null
    const wanted = date.slice(0, 7)
    const exact = this.months.find(({ month }) => month.startsWith(wanted))
    if (exact) return exact.from
    const isDescending = this.months[0].month > this.months[this.months.length - 1].month
    const next = this.months.find(({ month }) => (isDescending ? month < wanted : month > wanted))
    return (next ?? this.months[this.months.length - 1]).from
  }

  /** The rail's marks: months, each with its label, the first of a year with its year. */
  get marks() {
    let last = ''
    const marks = this.months.map(({ month, from, count }) => {
      const year = month.slice(0, 4)
      const begins = year !== last
      last = year
      const title = monthInWords(month)
      return { from, count, title, label: { head: title.slice(0, 3), tail: '', year: begins ? Number(year) : null, within: /** @type {number | null} */ (Number(year)) } }
    })
    if (this.undated.count) marks.push({ ...this.undated, title: 'No date', label: { head: 'No date', tail: '', year: null, within: null } })
    return marks
  }
}
