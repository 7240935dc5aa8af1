// The figures of the dashboard, each with a line for the last minute.

import { sized } from './canvas.js'

const SAMPLES = 60 // seconds on the axis

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

const percent = (share) => `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}%`

/**
 * The definitions of the figures. `remark` says which direction is better, or the unit.
 * @type {[name: string, label: string, way: string, format: (value: number) => string, meaning: string][]}
 */
const figures = [
  ['hits', 'Loaded on arrival', 'higher is better', percent, 'Cells that were loaded when they came into view'],
  ['blank', 'Blank', 'lower is better', percent, 'How much of the last second the cells in view were not loaded: blurred or empty'],
  ['empty', 'Empty', 'lower is better', percent, 'How much of the last second the cells in view were empty: without even a blur of their picture'],
  ['wasted', 'Fetched but never viewed', 'lower is better', percent, 'Pictures sent to this page that have not been in view so far'],
  ['latency', 'First byte', 'lower is better', (n) => `${n < 10 ? n.toFixed(1) : whole.format(n)}\u00a0ms`, 'From requesting a picture at its source to the first byte'],
  ['downloads', 'Downloads', 'per second', (n) => whole.format(n), 'Pictures the server downloaded in the last second, for all viewers'],
  ['elsewhere', 'From another server', 'per second', (n) => whole.format(n), 'Pictures taken in the last second from another server instead of being downloaded'],
  ['cancels', 'Cancelled', 'per second', (n) => whole.format(n), 'Pictures cancelled in the last second because you moved on, which makes room for others'],
]

/** Figures shown only after their first number, because there may never be one. */
const rare = new Set(['elsewhere'])

export class Figures {
  #root
  #series = new Map()
  #last = -Infinity // time of the last numbers, ms

  constructor(root) {
    this.#root = root
    for (const figure of figures) if (!rare.has(figure[0])) this.#show(figure)
  }

  /** @param {typeof figures[number]} figure */
  #show([name, label, remark, format, meaning]) {
    const figure = document.createElement('div')
    figure.className = 'figure'
    figure.tabIndex = 0
    figure.dataset.meaning = meaning
    const title = document.createElement('span')
    title.textContent = label
    const note = document.createElement('em')
    note.textContent = remark
    const value = document.createElement('b')
    value.textContent = '–'
    const line = document.createElement('canvas')
    line.setAttribute('aria-hidden', 'true')
    const peak = document.createElement('i')
    const explanation = document.createElement('small')
    explanation.textContent = meaning
    figure.append(title, value, line, note, peak, explanation)
    this.#root.append(figure)
    const series = { value, note, remark, line, peak, format, values: Array(SAMPLES).fill(NaN), pointed: -1 }
    line.addEventListener('pointermove', ({ offsetX }) => this.#point(series, Math.round((offsetX / line.clientWidth) * (SAMPLES - 1))))
    line.addEventListener('pointerleave', () => this.#point(series, -1))
    this.#series.set(name, series)
    return series
  }

  /** Adds the numbers of a second, by name. Seconds without numbers before `now` (ms) leave a gap. */
  add(sample, now) {
    const seconds = Math.min(SAMPLES, Math.max(1, Math.round((now - this.#last) / 1000)))
    this.#last = now
    for (const figure of figures) {
      const number = sample[figure[0]]
      if (!this.#series.has(figure[0]) && !Number.isFinite(number)) continue
      const { values } = this.#series.get(figure[0]) ?? this.#show(figure)
      values.splice(0, seconds)
      while (values.length < SAMPLES) values.push(NaN)
      if (Number.isFinite(number)) values[SAMPLES - 1] = number
    }
    this.draw()
  }

  /** Clears all figures because the server does not respond. */
  clear() {
    for (const series of this.#series.values()) series.values.fill(NaN)
    this.draw()
  }

  /** Shows the number at the pointer, or the newest one if `place` is -1. */
  #point(series, place) {
    series.pointed = Math.min(SAMPLES - 1, place)
    this.#write(series)
    draw(series)
  }

  #write({ value, note, remark, peak, format, values, pointed }) {
    const written = (number) => (Number.isFinite(number) ? format(number) : '–')
    note.textContent = pointed < 0 ? remark : `${SAMPLES - 1 - pointed} s ago`
    value.textContent = written(pointed < 0 ? values.findLast(Number.isFinite) : values[pointed])
    peak.textContent = values.some(Number.isFinite) ? `max ${format(maximum(values))}` : ''
  }

  draw() {
    for (const series of this.#series.values()) {
      this.#write(series)
      draw(series)
    }
  }
}

const maximum = (values) => Math.max(...values.filter(Number.isFinite))

/** Draws the last minute from left to right. A second without a number is a gap. */
function draw({ line, values, pointed }) {
  const { context, width, height } = sized(line)
  context.clearRect(0, 0, width, height)
  if (!width || !values.some(Number.isFinite)) return
  const top = Math.max(maximum(values), 1e-9)
  const x = (index) => 1 + (index / (SAMPLES - 1)) * (width - 2)
  const y = (value) => height - 1.5 - (value / top) * (height - 3)
  context.strokeStyle = context.fillStyle = getComputedStyle(line).color
  context.lineWidth = 1.4
  context.lineJoin = context.lineCap = 'round'
  context.beginPath()
  values.forEach((value, index) => {
    if (!Number.isFinite(value)) return
    if (!Number.isFinite(values[index - 1])) context.moveTo(x(index), y(value)) // a single number is drawn as a dot
    context.lineTo(x(index), y(value))
  })
  context.stroke()
  if (pointed < 0) return
  context.globalAlpha = 0.4
  context.fillRect(x(pointed) - 0.5, 0, 1, height)
  context.globalAlpha = 1
}
