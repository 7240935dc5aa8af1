// The months in which the pictures of a gallery were taken, in the order of the gallery.

import { monthInWords } from '../grid/picture-in-words.js'
import { lastNotAbove } from '../layout/sections.js'

/** @typedef {{month: string, from: number, count: number}} Month `month` is of the form `2019-07`. */

export class Timeline {
  /** @type {Month[]} In the order of the gallery: ascending or descending. */
  months
  /** Pictures without a date, at the end of the gallery. */
  undated
  #froms

  /** Accepts the API's timeline of a gallery sorted by date. */
  constructor({ months = [], undated = { from: 0, count: 0 } }) {
    this.months = months.filter(({ count }) => count > 0).sort((one, other) => one.from - other.from)
    this.undated = undated
    this.#froms = this.months.map(({ from }) => from)
  }

  /** Returns the month in which an item was taken, `{month, from, count}`; null if unknown. */
  monthOf(/** @type {number} */ item) {
    const month = this.months[lastNotAbove(this.#froms, item)]
    return month && item >= month.from && item < month.from + month.count ? month : null
  }

  /** Returns an item's month for people: `July 2019`, or `No date`. '' if the gallery has no dates. */
  nameOf(/** @type {number} */ item) {
    const found = this.monthOf(item)
    return found ? monthInWords(found.month) : this.months.length ? 'No date' : ''
  }

  /**
   * Returns the first item of the month or year of a date (`2019`, `2019-07` or `2019-07-12`), or of the next month in the gallery; null
   * if the gallery has no dates.
   */
  itemAt(/** @type {string} */ date) {
    if (!this.months.length) return null
    const wanted = date.slice(0, 7)
    const exact = this.months.find(({ month }) => month.startsWith(wanted))
    if (exact) return exact.from
    const isDescending = this.months[0].month > this.months[this.months.length - 1].month
    const next = this.months.find(({ month }) => (isDescending ? month < wanted : month > wanted))
    return (next ?? this.months[this.months.length - 1]).from
  }

  /** Marks for the scrubber's rail: one for each month with a label. The first month of a year also has the year. */
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
