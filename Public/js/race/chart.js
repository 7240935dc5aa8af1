// A chart with two lines over time: the blank share, from 0% at the bottom to 100% at the top.

import { sized } from '../dashboard/canvas.js'
import { BUCKET } from './tally.js'

const MINIMUM = 8000 // minimum ms on the time axis
const [LEFT, BELOW, ABOVE] = [48, 18, 8] // px for the labels of the axes
const NARROW = 60 // px of height below which the axes have no labels

export class Chart {
  #canvas
  #keys

  /** `keys` are two elements, each in the colour of a line. */
  constructor(canvas, keys) {
    this.#canvas = canvas
    this.#keys = keys
  }

  /** Draws two lists of shares (0 … 1) with a point for each tenth of a second. `length` is the expected length in ms, if known. */
  draw(series, length = 0) {
    const { context, width, height } = sized(this.#canvas)
    if (!width) return
    const span = Math.max(MINIMUM, length, ...series.map((points) => points.length * BUCKET))
    const isLabelled = height >= NARROW
    const [left, bottom, top] = isLabelled ? [LEFT, height - BELOW, ABOVE] : [0, height - 1, 1]
    const x = (time) => left + (time / span) * (width - left)
    const y = (share) => bottom - share * (bottom - top)
    context.clearRect(0, 0, width, height)
    this.#axes(context, { x, y, left, span, width, isLabelled })
    for (const [index, points] of series.entries()) {
      if (!points.length) continue
      const { color } = getComputedStyle(this.#keys[index])
      context.beginPath()
      context.moveTo(left, bottom)
      points.forEach((share, place) => context.lineTo(x(place * BUCKET), y(share)))
      context.strokeStyle = color
      context.lineWidth = 1.6
      context.lineJoin = 'round'
      context.setLineDash(index ? [] : [4, 2]) // distinguishes the lines without colour
      context.stroke()
      context.setLineDash([])
      context.lineTo(x((points.length - 1) * BUCKET), bottom)
      context.globalAlpha = 0.22
      context.fillStyle = color
      context.fill()
      context.globalAlpha = 1
    }
  }

  #axes(context, { x, y, left, span, width, isLabelled }) {
    const { borderColor, color, fontFamily } = getComputedStyle(this.#canvas)
    context.fillStyle = borderColor
    for (const share of [0, 0.5, 1]) context.fillRect(left, Math.round(y(share)), width - left, 1)
    if (!isLabelled) return
    context.fillStyle = color
    context.font = `12px ${fontFamily}`
    context.textBaseline = 'middle'
    context.textAlign = 'right'
    for (const share of [0, 0.5, 1]) context.fillText(`${share * 100}%`, left - 6, y(share))
    context.textBaseline = 'top'
    const step = span > 40_000 ? 20_000 : span > 16_000 ? 5_000 : 2_000
    for (let time = 0; time <= span; time += step) {
      context.textAlign = time === 0 ? 'left' : x(time) > width - 20 ? 'right' : 'center'
      context.fillText(`${time / 1000}\u00a0s`, x(time), y(0) + 5)
    }
  }
}
