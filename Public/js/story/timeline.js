// Draws the states of one side's cells over time as stacked bands: loaded at the bottom, blurred above, empty at the top.

import { sized } from '../dashboard/canvas.js'

const BLURRED = 0.35 // opacity

/**
 * Draws the shares of a tally. `span` is the number of points that fill the width. `mark` is the position (0 … 1) of a moment. For empty
 * cells, the canvas's background is left visible.
 */
export function drawTimeline(canvas, { history, emptyHistory }, span, mark = NaN) {
  const { context, width, height } = sized(canvas)
  context.clearRect(0, 0, width, height)
  const { color, borderColor, backgroundColor } = getComputedStyle(canvas)
  const step = width / Math.max(span, history.length)
  context.fillStyle = backgroundColor
  context.fillRect(history.length * step, 0, width, height) // time after the last point
  context.fillStyle = color
  for (const [index, blank] of history.entries()) {
    const empty = emptyHistory[index]
    const x = Math.floor(index * step)
    const wide = Math.ceil((index + 1) * step) - x
    context.fillRect(x, height * blank, wide, height * (1 - blank))
    context.globalAlpha = BLURRED
    context.fillRect(x, height * empty, wide, height * (blank - empty))
    context.globalAlpha = 1
  }
  if (!Number.isFinite(mark)) return
  context.fillStyle = borderColor
  context.fillRect(Math.round(mark * width) - 1, 0, 3, height)
}
