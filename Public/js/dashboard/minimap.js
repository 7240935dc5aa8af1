// A small map of the area around the viewport: each cell's state, the viewport, and its predicted landing.

import { sized } from './canvas.js'

const SCREENS = 3 // screens above and below the viewport
const FADE = 900 // ms a cancelled cell stays marked

/** Maps states to the five that are drawn. */
const drawn = { ready: 'ready', failed: 'failed', loading: 'loading', asked: 'loading', skipped: 'idle', cancelled: 'cancelled', idle: 'idle' }

export function stateOf(item, { thumbnails, prefetchState, visible }, now = performance.now()) {
  if (thumbnails.has(item)) return 'ready'
  if (thumbnails.failure(item)) return 'failed'
  if (prefetchState.loading.has(item)) return 'loading'
  if (prefetchState.queued.has(item) || prefetchState.asked.has(item)) return 'asked'
  if (prefetchState.skipped.has(item)) return 'skipped'
  const dropped = prefetchState.dropped.get(item)
  return dropped !== undefined && now - dropped < FADE ? 'cancelled' : item >= visible.from && item < visible.to ? 'asked' : 'idle'
}

export class Minimap {
  #canvas
  #strip
  #swatches
  #colors = null // by state. Read again after a change of the colour scheme

  constructor(canvas, strip, swatches) {
    this.#canvas = canvas
    this.#strip = strip
    this.#swatches = swatches
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => (this.#colors = null))
  }

  draw(scene, whole) {
    this.#readColors()
    this.#neighbourhood(scene)
    if (whole) this.#whole(scene)
  }

  #neighbourhood({ layout, scroller, thumbnails, prefetchState, visible }) {
    const { context, width, height } = sized(this.#canvas)
    const span = (2 * SCREENS + 1) * scroller.height
    const from = scroller.top - SCREENS * scroller.height
    const [sx, sy] = [width / layout.width, height / span]
    const now = performance.now()
    const state = { thumbnails, prefetchState, visible }
    context.clearRect(0, 0, width, height)
    // One path per state: changing a canvas's colour costs more than drawing a rectangle.
    const paths = {}
    for (const row of layout.rows(Math.max(0, from), from + span)) {
      const { cells } = row
      for (let index = 0; index < row.count; index++) {
        const item = row.from + index
        const kind = drawn[stateOf(item, state, now)]
        const path = (paths[kind] ??= new Path2D())
        const [left, top] = [cells[index * 4] * sx, (row.y + cells[index * 4 + 1] - from) * sy]
        const [wide, high] = [Math.max(1, cells[index * 4 + 2] * sx - 1), Math.max(1, cells[index * 4 + 3] * sy - 1)]
        if (kind === 'loading') {
          frame(path, left, top, wide, high)
          path.rect(left, top, wide * (prefetchState.loading.get(item) ?? 0), high)
        }
        else path.rect(left, top, wide, high)
      }
    }
    for (const kind in paths) {
      context.fillStyle = this.#colors[kind]
      context.fill(paths[kind])
    }
    const landing = prefetchState.plan?.landing
    if (landing && Math.abs(landing.scrollTop - scroller.top) > 4) {
      const y = Math.min(height - 2, Math.max(1, (landing.scrollTop - from) * sy))
      context.strokeStyle = this.#colors.landing
      context.globalAlpha = 0.35 + 0.65 * landing.confidence
      context.setLineDash([5, 3])
      context.lineWidth = 1.5
      context.strokeRect(1, y, width - 2, scroller.height * sy)
      context.setLineDash([])
      context.globalAlpha = 1
    }
    context.strokeStyle = this.#colors.frame
    context.lineWidth = 2
    context.strokeRect(1, SCREENS * scroller.height * sy, width - 2, scroller.height * sy)
  }

  #whole({ layout, scroller, thumbnails, prefetchState, itemCount }) {
    const { context, width, height } = sized(this.#strip)
    const place = (y) => (layout.contentHeight ? (y / layout.contentHeight) * width : 0)
    context.clearRect(0, 0, width, height)
    context.fillStyle = this.#colors.idle
    context.fillRect(0, 4, width, height - 8)
    context.fillStyle = this.#colors.ready
    const columns = new Set()
    for (const item of thumbnails.held.keys()) columns.add(Math.floor((item / Math.max(1, itemCount)) * width))
    for (const x of columns) context.fillRect(x, 4, 1.5, height - 8)
    // The prefetch window, from the first to the last requested item.
    let [first, last] = [Infinity, -1]
    for (const item of prefetchState.asked) [first, last] = [Math.min(first, item), Math.max(last, item)]
    const [begins, ends] = last < 0 ? [] : [layout.frame(first), layout.frame(last)]
    if (begins && ends) {
      const x = place(begins.y)
      context.fillStyle = this.#colors.loading
      context.fillRect(x, height - 3, Math.max(3, place(ends.y + ends.height) - x), 3)
    }
    const landing = prefetchState.plan?.landing
    if (landing) {
      context.fillStyle = this.#colors.landing
      context.fillRect(place(landing.scrollTop), 1, 2, height - 2)
    }
    context.fillStyle = this.#colors.frame
    context.fillRect(Math.min(place(scroller.top), width - 3), 0, Math.max(3, place(scroller.height)), height)
  }

  #readColors() {
    if (this.#colors) return
    this.#colors = {}
    for (const swatch of this.#swatches) this.#colors[swatch.dataset.swatch] = getComputedStyle(swatch).color
  }
}

/** Adds a frame of four thin sides to a path. */
function frame(path, x, y, width, height) {
  const thick = Math.min(1.5, height / 3)
  path.rect(x, y, width, thick)
  path.rect(x, y + height - thick, width, thick)
  path.rect(x, y, thick, height)
  path.rect(x + width - thick, y, thick, height)
}
