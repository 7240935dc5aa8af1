// Shows the gallery as it was in the last minute. Simulates the same minute with another policy or network, and draws both.

import { copyText } from '../page/clipboard.js'
import { get } from '../session/api.js'
import { LENGTH, ScrollRecord } from '../waterfall/record.js'
import { Waterfall } from '../waterfall/waterfall.js'
import { percent } from './figures.js'
import { POLICIES } from './policies.js'

const share = (/** @type {number} */ number) => (Number.isFinite(number) ? percent(number) : '–')

/** Returns the number of items in a range that had no picture at a time. */
export function blankCount(/** @type {ScrollRecord} */ record, /** @type {{from: number, to: number}} */ { from, to }, /** @type {number} */ t) {
  let count = 0
  for (let item = from; item < to; item++) if (!record.isLoaded(item, t)) count += 1
  return count
}

/** Compares a record with its simulation in words, over the time of the record. */
export function comparisonText(/** @type {ScrollRecord} */ recorded, /** @type {ScrollRecord} */ simulated) {
  const blank = [recorded, simulated].map((record) => share(record.blankShare(recorded.beginning, recorded.end)))
  const waste = [recorded, simulated].map((record) => share(record.wasteShare()))
  return `Blank ${blank[0]} as recorded, ${blank[1]} simulated. Fetched but never viewed ${waste[0]} and ${waste[1]}.`
}

export class Rewind {
  /** @type {ScrollRecord | null} The minute on show, which no longer changes. Null in the present. */
  #record = null
  /** @type {ScrollRecord | null} */
  #simulated = null
  /** @type {Waterfall | null} */
  #beside = null // draws the simulated record
  #t = 0 // ms of the record
  #request = null // the latest request for a simulation
  #part
  #page
  #waterfall
  #live
  #listeners

  /**
   * `part(name)` returns a part of the dashboard, `live()` the growing record, which `waterfall` draws, and `path()` the path of the
   * session. `listeners` are those of a waterfall.
   * @param {(name: string) => any} part
   * @param {{
   *   page: import('../page/page.js').Page, waterfall: Waterfall, live: () => ScrollRecord, path: () => string,
   *   listeners: import('../waterfall/waterfall.js').Listeners
   * }} options
   */
  constructor(part, { page, waterfall, live, path, listeners }) {
    this.#part = part
    this.#page = page
    this.#waterfall = waterfall
    this.#live = live
    this.#listeners = listeners
    part('simulated-policy').replaceChildren(...POLICIES.map(([name, title]) => new Option(title, name)))
    part('rewind').addEventListener('input', ({ target }) => this.seek((this.#record ?? live()).end + target.valueAsNumber * 1000))
    part('rewind').addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.#record) return
      event.stopPropagation()
      this.end()
    })
    part('live').addEventListener('click', () => this.end())
    part('as-simulated').addEventListener('change', () => this.#show())
    part('simulation').addEventListener('submit', (event) => {
      event.preventDefault()
      this.#simulate(path())
    })
    part('race-link').addEventListener('click', () => this.#link().catch(({ message }) => page.notify(message)))
  }

  get isOn() {
    return this.#record !== null
  }

  /** Shows the gallery as it was at a time of the record. */
  seek(/** @type {number} */ t) {
    if (!this.#page.pageLayout.layout) return
    if (!this.#record) this.#begin()
    this.#t = Math.min(Math.max(t, this.#record.beginning), this.#record.end)
    this.#part('rewind').value = (this.#t - this.#record.end) / 1000
    this.#show()
  }

  #begin() {
    this.#record = this.#live().copy()
    this.#part('rewind').min = Math.floor((this.#record.beginning - this.#record.end) / 100) / 10
    this.#turn(this.#record)
  }

  /** Returns to the present and to the person's position. */
  end() {
    if (!this.#record) return
    this.#record = this.#simulated = this.#request = null
    this.#turn(this.#live())
    for (const cell of this.#page.grid.layer.querySelectorAll('[data-then]')) delete cell.dataset.then
    if (this.#page.scroller.isAway) this.#page.lookAt(null)
    this.#waterfall.cursor = null
    Object.assign(this.#part('rewind'), { min: -LENGTH / 1000, value: 0 })
    this.#write('now')
  }

  /** Turns to the past or to the present, with the record to draw. */
  #turn(record) {
    const isLive = !this.#record
    this.#waterfall.isLive = isLive
    this.#waterfall.show(record)
    this.#page.root.toggleAttribute('data-rewound', !isLive)
    this.#part('live').setAttribute('aria-pressed', String(isLive))
    this.#part('simulation').hidden = this.#page.find('then').hidden = isLive
    this.#showSimulation()
  }

  /** Draws the simulated minute. Ends if the person has scrolled or the layout has changed. Call this in each frame. */
  draw() {
    if (this.#record && !this.#page.scroller.isAway) this.end()
    if (this.#simulated) this.#beside.draw()
  }

  #show() {
    const { grid, scroller, pageLayout } = this.#page
    const isSimulated = this.#simulated !== null && this.#part('as-simulated').checked
    const record = isSimulated ? this.#simulated : this.#record
    this.#page.lookAt(this.#record.yAt(this.#t))
    for (const cell of grid.cells()) cell.element.dataset.then = record.isLoaded(cell.item, this.#t) ? 'loaded' : 'blank'
    const range = pageLayout.layout.items(scroller.top, scroller.top + scroller.height)
    const verb = isSimulated ? 'would have been' : 'were'
    const ago = `${((this.#record.end - this.#t) / 1000).toFixed(1)}\u00a0s ago`
    this.#write(ago, `${ago} · ${blankCount(record, range, this.#t)} of ${range.to - range.from} cells ${verb} blank`)
    for (const waterfall of [this.#waterfall, this.#beside]) if (waterfall) waterfall.cursor = this.#t
    this.#waterfall.draw()
    this.draw()
  }

  #write(ago, text = ago) {
    this.#part('ago').textContent = ago
    this.#page.find('then').textContent = text
    this.#part('rewind').setAttribute('aria-valuetext', text)
  }

  async #simulate(path) {
    const [policy, latency, bandwidth] = [...this.#part('simulation').elements].map(({ value }) => value)
    const request = (this.#request = new URLSearchParams({ policy, latency, bandwidth }))
    this.#part('comparison').textContent = 'Simulating…'
    const { start } = this.#record
    const found = await get(`${path}/simulation?${request}`).then((document) => new ScrollRecord(document, start), (error) => error)
    if (request !== this.#request) return
    this.#simulated = found instanceof ScrollRecord ? found : null
    this.#showSimulation(found.message)
    this.#show()
  }

  /** Shows the simulation if there is one, and otherwise a message. */
  #showSimulation(message = '') {
    const record = this.#simulated
    const canvas = this.#part('simulated')
    canvas.hidden = this.#part('as-simulated').closest('label').hidden = !record
    this.#part('comparison').textContent = record ? comparisonText(this.#record, record) : message
    if (!record) return
    this.#beside ??= new Waterfall(canvas, { record, beside: this.#waterfall, ...this.#listeners })
    this.#beside.show(record)
  }

  /** Copies a link to a race of the minute from the shown moment on. */
  async #link() {
    const { raceLink } = await import('../trace/trace-link.js')
    const { samples, end } = this.#record
    const link = await raceLink([...samples, { ...samples.at(-1), t: end }], this.#t, this.#page.state.base)
    this.#page.notify((await copyText(link)) ? 'Link copied' : link)
  }
}
