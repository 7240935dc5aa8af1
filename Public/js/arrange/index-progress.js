// How far the server has read the dates of the pictures: a word beside their number until it has read all.

import { get } from '../session/api.js'

const PAUSE = 2000 // ms between two questions

const number = new Intl.NumberFormat('en')

/**
 * Returns a function that takes the gallery on show. `done()` is called when all dates of one are known that were not, and
 * each time they have become many more.
 */
export function showIndexProgress(element, done) {
  let timer = 0
  let told = 0 // how many were known when `done` was called last

  function show(gallery) {
    clearTimeout(timer)
    const { known, of } = gallery.index ?? { known: 0, of: 0 }
    const isReading = known < of
    element.hidden = !isReading
    element.textContent = isReading ? `${number.format(known)} of ${number.format(of)} dates read` : ''
    told = isReading ? told || Math.max(1, known) : 0
    if (isReading) timer = setTimeout(() => ask(gallery), PAUSE)
  }

  async function ask(gallery) {
    const now = document.hidden ? gallery : await get(`api/v1/galleries/${encodeURIComponent(gallery.id)}`).catch(() => gallery)
    const { known, of } = now.index ?? { known: 0, of: 0 }
    const isNews = known >= of || known >= 2 * told
    if (isNews) told = known
    show(now)
    if (isNews) done()
  }

  return show
}
