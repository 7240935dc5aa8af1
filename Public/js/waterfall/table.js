// A table of the newest pictures for screen readers.

import { durationText, why } from './why.js'

const NEWEST = 100
const REST = 1000 // minimum ms between two updates
const HEADS = ['Picture', 'Why', 'Waited', 'Downloaded in', 'Outcome']

export class PictureTable {
  #table
  #body
  #label
  #updated = -Infinity // ms

  /** `label(y)` names a position. */
  constructor(/** @type {HTMLTableElement} */ table, /** @type {(y: number) => string} */ label) {
    this.#table = table
    this.#label = label
    table.createCaption().textContent = 'Newest pictures of the last minute'
    const heads = table.createTHead().insertRow()
    for (const name of HEADS) heads.append(Object.assign(document.createElement('th'), { textContent: name, scope: 'col' }))
    this.#body = table.createTBody()
  }

  /** Shows the newest pictures, at most once a second, if the table has the focus or `isRequested`. */
  update(/** @type {import('./record.js').ScrollRecord} */ record, { isRequested = false, now = performance.now() } = {}) {
    if (now - this.#updated < REST || !(isRequested || this.#table.contains(document.activeElement))) return
    this.#updated = now
    const pictures = record.pictures.slice(-NEWEST).reverse()
    while (this.#body.rows.length > pictures.length) this.#body.deleteRow(-1)
    for (const [index, picture] of pictures.entries()) {
      const row = this.#body.rows[index] ?? this.#body.insertRow()
      for (const [column, text] of this.#texts(picture, record).entries()) {
        const cell = row.cells[column] ?? row.insertCell()
        if (cell.textContent !== text) cell.textContent = text // a screen reader keeps its place
      }
    }
  }

  #texts(picture, record) {
    const { item, wanted, requested, arrived } = picture
    const sentences = why(picture, { at: record.end, label: this.#label, stop: record.stopAt(wanted) })
    const lasted = (from, to) => (from === undefined || to === undefined ? '–' : durationText(to - from))
    return [String(item + 1), sentences[0], lasted(wanted, requested), lasted(requested, arrived), sentences.at(-1)]
  }
}
