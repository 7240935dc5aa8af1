// Draws the records of a report: each figure has a canvas, a text, a table, and its record as JSON.

import { indexAt, ScrollRecord } from './record.js'
import { PictureTable } from './table.js'
import { Waterfall } from './waterfall.js'
import { why } from './why.js'

const counted = new Intl.NumberFormat('en')

/** Returns a function that names the first picture at or below a position, as far as the record knows. */
function labels(/** @type {ScrollRecord} */ { pictures }) {
  const tops = pictures.map(({ item, top }) => ({ t: top, item })).sort((a, b) => a.t - b.t || a.item - b.item)
  return (/** @type {number} */ y) => {
    const next = tops[indexAt(tops, y - 1) + 1]
    return next ? `picture ${counted.format(next.item + 1)}` : ''
  }
}

/** Returns the waterfall of a figure. */
function drawn(/** @type {HTMLElement} */ figure) {
  const record = new ScrollRecord(JSON.parse(figure.querySelector('script').textContent))
  const label = labels(record)
  const text = figure.querySelector('p')
  let [pointed, chosen] = [null, null]
  const write = () => {
    const picture = pointed ?? chosen
    const sentences = picture ? why(picture, { label, stop: record.stopAt(picture.wanted) }) : []
    text.textContent = picture ? `Picture ${counted.format(picture.item + 1)}. ${sentences.join(' ')}` : ''
  }
  new PictureTable(figure.querySelector('table'), label).update(record, { isRequested: true })
  return new Waterfall(figure.querySelector('canvas'), {
    record,
    label,
    pointed: (picture) => {
      pointed = picture
      write()
    },
    chosen: (picture) => {
      chosen = picture
      write()
    },
  })
}

const waterfalls = [...document.querySelectorAll('figure')].map(drawn)

requestAnimationFrame(function step() {
  for (const waterfall of waterfalls) waterfall.draw()
  requestAnimationFrame(step)
})
