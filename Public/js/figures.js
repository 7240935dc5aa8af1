// The numbers of the dashboard, each with its last minute as a line.

import { sized } from './lens.js'

const SAMPLES = 60

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

export function bytes(count) {
  if (count < 1000) return `${whole.format(count)} B`
  if (count < 1e6) return `${(count / 1e3).toFixed(count < 1e4 ? 1 : 0)} kB`
  return `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} MB`
}

const percent = (share) => `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}\u00a0%`

/** What is shown, how it is written, and what it means. */
const figures = [
  ['hits', 'Hit ratio', percent, 'Cells whose picture was there when they came into view'],
  ['blank', 'Blank', percent, 'Share of the last second that cells in view spent without their picture'],
  ['downloads', 'Downloads', (n) => `${whole.format(n)}/s`, 'Pictures the server downloaded in the last second, for everyone'],
  ['cancels', 'Cancels', (n) => `${whole.format(n)}/s`, 'Pictures let go in the last second because the scroll went elsewhere'],
  ['wasted', 'Wasted', bytes, 'Bytes fetched and never shown, cancelled downloads included'],
  ['latency', 'Latency', (n) => `${n < 10 ? n.toFixed(1) : whole.format(n)} ms`, 'From asking the origin for a picture to its first byte'],
]

export class Figures {
  constructor(root) {
    this.series = new Map()
    for (const [name, label, format, meaning] of figures) {
      const figure = document.createElement('div')
      figure.className = 'figure'
      figure.tabIndex = 0
      figure.dataset.meaning = meaning
      const title = document.createElement('span')
      title.textContent = label
      const value = document.createElement('b')
      value.textContent = '–'
      const line = document.createElement('canvas')
      line.setAttribute('aria-hidden', 'true')
      const note = document.createElement('small')
      note.textContent = meaning
      figure.append(title, value, line, note)
      root.append(figure)
      this.series.set(name, { value, line, format, values: [] })
    }
  }

  /** Takes a number a second for each name. */
  add(sample) {
    for (const [name, number] of Object.entries(sample)) {
      const series = this.series.get(name)
      if (!series || !Number.isFinite(number)) continue
      series.values.push(number)
      if (series.values.length > SAMPLES) series.values.shift()
      series.value.textContent = series.format(number)
    }
  }

  draw() {
    for (const { line, values } of this.series.values()) {
      const { context, width, height } = sized(line)
      context.clearRect(0, 0, width, height)
      if (values.length < 2 || !width) continue
      const top = Math.max(...values, 1e-9)
      context.strokeStyle = getComputedStyle(line).color
      context.lineWidth = 1.4
      context.lineJoin = 'round'
      context.beginPath()
      values.forEach((value, index) => {
        const x = width - ((values.length - 1 - index) / (SAMPLES - 1)) * width
        const y = height - 1.5 - (value / top) * (height - 3)
        index ? context.lineTo(x, y) : context.moveTo(x, y)
      })
      context.stroke()
    }
  }
}
