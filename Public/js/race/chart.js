// Two lines over time, from nothing blank at the bottom to everything at the top.

import { sized } from '../lens.js'

const BUCKET = 100 // ms a point
const LEAST = 8000 // ms of width at least

export class Chart {
  /** `keys`: an element in the colour of each line. */
  constructor(canvas, keys) {
    Object.assign(this, { canvas, keys })
  }

  /** `series`: two lists of shares 0 … 1, a point for each tenth of a second; `length` in ms, where it is known ahead. */
  draw(series, length = 0) {
    const { context, width, height } = sized(this.canvas)
    if (!width) return
    const span = Math.max(LEAST, length, ...series.map((points) => points.length * BUCKET))
    context.clearRect(0, 0, width, height)
    context.fillStyle = getComputedStyle(this.canvas).borderColor
    context.fillRect(0, height - 1, width, 1)
    for (const [index, points] of series.entries()) {
      if (!points.length) continue
      const { color } = getComputedStyle(this.keys[index])
      context.beginPath()
      context.moveTo(0, height - 1)
      points.forEach((share, place) => context.lineTo((place * BUCKET * width) / span, height - 1.5 - share * (height - 3)))
      context.strokeStyle = color
      context.lineWidth = 1.6
      context.lineJoin = 'round'
      context.setLineDash(index ? [] : [4, 2]) // told apart without the colour, too
      context.stroke()
      context.setLineDash([])
      context.lineTo(((points.length - 1) * BUCKET * width) / span, height - 1)
      context.globalAlpha = 0.22
      context.fillStyle = color
      context.fill()
      context.globalAlpha = 1
    }
  }
}
