// The numbers of the dashboard, each with its last minute as a line.

import { sized } from './canvas.js'

const SAMPLES = 60

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

const percent = (share) => `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}%`

/**
 * Each figure: which way is good, how it is written, and its meaning.
 * @type {[name: string, label: string, way: string, format: (value: number) => string, meaning: string][]}
 */
const figures = [
  ['hits', 'Loaded on arrival', 'higher is better', percent, 'Cells that were loaded when they came into view'],
  ['blank', 'Blank', 'lower is better', percent, 'How much of the last second the cells in view were not loaded: blurred or empty'],
  ['grey', 'Empty', 'lower is better', percent, 'How much of the last second the cells in view were empty: without even a blur of their picture'],
  ['wasted', 'Fetched but never viewed', 'lower is better', percent, 'Pictures sent to this page that have not been in view so far'],
  ['latency', 'First byte', 'lower is better', (n) => `${n < 10 ? n.toFixed(1) : whole.format(n)}\u00a0ms`, 'From requesting a picture at its source to the first byte'],
  ['downloads', 'Downloads', 'per second', (n) => whole.format(n), 'Pictures the server downloaded in the last second, for all viewers'],
  ['elsewhere', 'From another server', 'per second', (n) => whole.format(n), 'Pictures taken in the last second from another server instead of being downloaded'],
  ['cancels', 'Cancelled', 'per second', (n) => whole.format(n), 'Pictures cancelled in the last second because you moved on, which makes room for others'],
]

/** Those that are there from their first number on: there may never be one. */
const rare = new Set(['elsewhere'])

export class Figures {
  #root
  #series = new Map()

  constructor(root) {
    this.#root = root
    for (const figure of figures) if (!rare.has(figure[0])) this.#show(figure)
  }

  /** @param {typeof figures[number]} figure */
  #show([name, label, way, format, meaning]) {
    const figure = document.createElement('div')
    figure.className = 'figure'
    figure.tabIndex = 0
    figure.dataset.meaning = meaning
    const title = document.createElement('span')
    title.textContent = label
    const good = document.createElement('em')
    good.textContent = way
    const value = document.createElement('b')
    value.textContent = '–'
    const line = document.createElement('canvas')
    line.setAttribute('aria-hidden', 'true')
    const note = document.createElement('small')
    note.textContent = meaning
    figure.append(title, good, value, line, note)
    this.#root.append(figure)
    const series = { value, line, format, values: [] }
    this.#series.set(name, series)
    return series
  }

  /** Takes a number a second for each name. */
  add(sample) {
    for (const [name, number] of Object.entries(sample)) {
      if (!Number.isFinite(number)) continue
      const figure = figures.find(([known]) => known === name)
      if (!figure) continue
      const series = this.#series.get(name) ?? this.#show(figure)
      series.values.push(number)
      if (series.values.length > SAMPLES) series.values.shift()
      series.value.textContent = series.format(number)
    }
  }

  /** Nothing is known any more: no figure that was true once stays. */
  clear() {
    for (const series of this.#series.values()) {
      series.values = []
      series.value.textContent = '–'
    }
    this.draw()
  }

  draw() {
    for (const { line, values } of this.#series.values()) {
      const { context, width, height } = sized(line)
      context.clearRect(0, 0, width, height)
      if (values.length < 2 || !width) continue
      const top = Math.max(...values, 1e-9)
      context.strokeStyle = getComputedStyle(line).color
      context.lineWidth = 1.4
      context.lineJoin = 'round'
      context.beginPath()
      values.forEach((value, index) => {
        const x = (index / (values.length - 1)) * width
        const y = height - 1.5 - (value / top) * (height - 3)
        index ? context.lineTo(x, y) : context.moveTo(x, y)
      })
      context.stroke()
    }
  }
}
