// The paths of a waterfall, one for each style. Changing a canvas's colour costs more than drawing a rectangle.

import { isPending, lastTime } from './record.js'

/** Number of opacities for blank time. */
export const LEVELS = 4

const LEAP = 12 // px between two predicted stops that are not connected

/**
 * Returns the paths of the pictures in the view, by style. `plot` is the visible part of the canvas, `end` the end of pending bars in ms.
 * Rectangles of one style that overlap on the same pixels are joined, because far out most do.
 * @param {import('./record.js').ScrollRecord} record
 * @param {import('./axes.js').Axes} axes
 * @param {{left: number, top: number, width: number, height: number}} plot
 * @param {number} end
 */
export function barPaths(record, axes, plot, end) {
  const paths = /** @type {Record<string, Path2D>} */ ({})
  const open = {} // the last rectangle by style and by place
  const [left, right, bottom] = [plot.left - 4, plot.left + plot.width + 4, plot.top + plot.height]
  /** @type {(style: string, from: number, to: number, y: number, height: number) => void} */
  const add = (style, from, to, y, height) => {
    const path = (paths[style] ??= new Path2D())
    const x = Math.max(left, from)
    const until = Math.min(right, Math.max(to, x + 1))
    const places = (open[style] ??= new Map())
    const last = places.get(y)
    if (last && last.height === height && x <= last.until && until >= last.x) {
      last.x = Math.min(x, last.x)
      last.until = Math.max(until, last.until)
    } else {
      if (last) path.rect(last.x, y, last.until - last.x, last.height)
      places.set(y, { x, until, height })
    }
  }
  for (const picture of record.pictures) {
    const { wanted, requested, arrived, seen, cancelled, failed } = picture
    const until = isPending(picture) ? end : lastTime(picture)
    if (until < axes.view.from || wanted > axes.view.to) continue
    const bar = record.bar(picture)
    const [low, high] = [Math.round(axes.y(bar.top)), Math.round(axes.y(bar.top + bar.height))]
    if (high < plot.top || low > bottom) continue
    const thick = Math.max(1, high - low - (high - low > 3 ? 1 : 0))
    const middle = low + Math.floor(thick / 2)
    const begin = axes.x(requested ?? arrived ?? until)
    if (begin - axes.x(wanted) > 0.5) add('wanted', axes.x(wanted), begin, middle, 1)
    const loaded = arrived !== undefined && seen === undefined ? 'wasted' : 'loading'
    const state = cancelled !== undefined ? 'cancelled' : failed !== undefined ? 'failed' : loaded
    const edge = Math.floor(thick / 8)
    if (requested !== undefined) add(state, begin, axes.x(arrived ?? cancelled ?? failed ?? end), low + edge, thick - 2 * edge)
    if (seen !== undefined) {
      const height = Math.max(1, Math.round(thick / 5))
      add('ready', axes.x(arrived), axes.x(seen), low + Math.floor((thick - height) / 2), height)
      if (thick > 2) add('ready', axes.x(seen) - 1, axes.x(seen) + 1, low, thick)
    }
    if (failed !== undefined) add('failed', axes.x(failed) - 1.5, axes.x(failed) + 1.5, middle - 4, 8)
    if (cancelled !== undefined) addCross((paths.cross ??= new Path2D()), axes.x(cancelled), low + thick / 2, Math.min(3.5, Math.max(2, thick / 3)))
  }
  for (const style in open) for (const [y, { x, until, height }] of open[style]) paths[style].rect(x, y, until - x, height)
  return paths
}

function addCross(path, x, y, size) {
  path.moveTo(x - size, y - size)
  path.lineTo(x + size, y + size)
  path.moveTo(x - size, y + size)
  path.lineTo(x + size, y - size)
}

/**
 * Returns the band of the viewport, its edges, its blank times by opacity, and the predicted stop. Samples less than a pixel apart are joined.
 * @param {import('./record.js').ScrollRecord} record
 * @param {import('./axes.js').Axes} axes
 * @param {number} end ms
 */
export function bandPaths(record, axes, end) {
  const [band, edges, stop] = [new Path2D(), new Path2D(), new Path2D()]
  const blanks = Array.from({ length: LEVELS }, () => new Path2D())
  const high = record.viewport.height * axes.perPlace
  const steps = record.steps(axes.view.from, axes.view.to)
  const corners = []
  let [x, y, blank, visible] = [NaN, 0, 0, 0]
  for (const [index, { sample, until, y: last }] of steps.entries()) {
    const to = axes.x(sample === record.samples.at(-1) ? Math.max(end, until) : until)
    if (Number.isNaN(x)) [x, y] = [axes.x(sample.t), axes.y(sample.y)]
    blank += sample.blank * (until - sample.t)
    visible += sample.visible * (until - sample.t)
    if (to - x < 1 && index < steps.length - 1) continue
    corners.push([x, y], [to, axes.y(last)])
    const level = Math.ceil((blank / visible) * LEVELS)
    if (level > 0) addBand(blanks[level - 1], [[Math.round(x), y], [Math.round(to), axes.y(last)]], high)
    x = NaN
    blank = visible = 0
  }
  addBand(band, corners, high)
  for (const offset of [0, high]) for (const [index, [cx, cy]] of corners.entries()) edges[index ? 'lineTo' : 'moveTo'](cx, cy + offset)
  let [drawn, height] = [-Infinity, 0] // the end of the dashed line, px
  for (const [index, { t, y: place }] of record.stops.entries()) {
    const [from, to] = [axes.x(t), axes.x(record.stops[index + 1]?.t ?? end)]
    if (t > axes.view.to || to < axes.x(axes.view.from) || to - Math.max(from, drawn) < 1) continue
    if (Math.abs(place - record.yAt(t)) * axes.perPlace < 4) continue
    const middle = axes.y(place) + high / 2
    stop[from - drawn < 2 && Math.abs(middle - height) < LEAP ? 'lineTo' : 'moveTo'](from, middle)
    stop.lineTo(to, middle)
    drawn = to
    height = middle
  }
  return { band, edges, blanks, stop }
}

/** Adds the area from a line to its copy `high` px below. */
function addBand(path, corners, high) {
  for (const [index, [x, y]] of corners.entries()) path[index ? 'lineTo' : 'moveTo'](x, y)
  for (const [x, y] of [...corners].reverse()) path.lineTo(x, y + high)
  if (corners.length) path.closePath()
}
