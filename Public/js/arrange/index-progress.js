// Shows how many dates of pictures the server has read, beside the number of pictures, until the server has read all.

import { get } from '../session/api.js'

const PAUSE = 2000 // ms between two requests

const number = new Intl.NumberFormat('en')

/**
 * Returns a function to call with the current gallery. `done()` is called once all dates are known, and each time the number of known
 * dates has doubled.
 */
export function showIndexProgress(element, done) {
  let timer = 0
  let reported = 0 // number of known dates at the last call of `done`

  function show(gallery) {
    clearTimeout(timer)
    const { known, of } = gallery.index ?? { known: 0, of: 0 }
    const isReading = known < of
    element.hidden = !isReading
    element.textContent = isReading ? `${number.format(known)} of ${number.format(of)} dates read` : ''
    reported = isReading ? reported || Math.max(1, known) : 0
    if (isReading) timer = setTimeout(() => ask(gallery), PAUSE)
  }

  async function ask(gallery) {
    const now = document.hidden ? gallery : await get(`api/v1/galleries/${encodeURIComponent(gallery.id)}`).catch(() => gallery)
    const { known, of } = now.index ?? { known: 0, of: 0 }
    const isNews = known >= of || known >= 2 * reported
    if (isNews) reported = known
    show(now)
    if (isNews) done()
  }

  return show
}
