// The neighbourhood of the viewport in small: each cell by what is happening to it, the viewport and where it will land.

const SCREENS = 3 // above and below the viewport
const FADE = 900 // ms a cancelled cell stays marked

/** What is happening to an item; the words of the legend. */
export function stateOf(item, { pictures, work, visible }, now = performance.now()) {
  if (pictures.has(item)) return 'ready'
  if (pictures.failure(item)) return 'failed'
  if (item >= visible.from && item < visible.to) return 'wanted'
  if (work.asked.has(item)) return 'ahead'
  const dropped = work.dropped.get(item)
  return dropped !== undefined && now - dropped < FADE ? 'cancelled' : 'idle'
}

export class Lens {
  constructor(canvas, strip, swatches) {
    this.canvas = canvas
    this.strip = strip
    this.swatches = swatches
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => (this.colors = null))
  }

  draw(scene) {
    this.#colors()
    this.#neighbourhood(scene)
    this.#whole(scene)
  }

  #neighbourhood({ layout, scroller, pictures, work, visible }) {
    const { context, width, height } = sized(this.canvas)
    const span = (2 * SCREENS + 1) * scroller.height
    const from = scroller.top - SCREENS * scroller.height
    const [sx, sy] = [width / layout.width, height / span]
    const now = performance.now()
    const state = { pictures, work, visible }
    context.clearRect(0, 0, width, height)
    for (const row of layout.rows(Math.max(0, from), from + span)) {
      for (let index = 0; index < row.count; index++) {
        const [x, y, w, h] = row.cells.slice(index * 4, index * 4 + 4)
        const kind = stateOf(row.from + index, state, now)
        context.fillStyle = this.colors[kind]
        const [left, top] = [x * sx, (row.y + y - from) * sy]
        const [wide, high] = [Math.max(1, w * sx - 1), Math.max(1, h * sy - 1)]
        if (kind === 'ahead' || kind === 'wanted') outline(context, left, top, wide, high, this.colors[kind], kind === 'wanted')
        else context.fillRect(left, top, wide, high)
      }
    }
    const landing = work.plan?.landing
    if (landing && Math.abs(landing.scrollTop - scroller.top) > 4) {
      const y = Math.min(height - 2, Math.max(1, (landing.scrollTop - from) * sy))
      context.strokeStyle = this.colors.landing
      context.globalAlpha = 0.35 + 0.65 * landing.confidence
      context.setLineDash([5, 3])
      context.lineWidth = 1.5
      context.strokeRect(1, y, width - 2, scroller.height * sy)
      context.setLineDash([])
      context.globalAlpha = 1
    }
    context.strokeStyle = this.colors.frame
    context.lineWidth = 2
    context.strokeRect(1, SCREENS * scroller.height * sy, width - 2, scroller.height * sy)
  }

  #whole({ layout, scroller, pictures, work, itemCount }) {
    const { context, width, height } = sized(this.strip)
    const place = (y) => (layout.contentHeight ? (y / layout.contentHeight) * width : 0)
    context.clearRect(0, 0, width, height)
    context.fillStyle = this.colors.idle
    context.fillRect(0, 4, width, height - 8)
    context.fillStyle = this.colors.ready
    const columns = new Set()
    for (const item of pictures.held.keys()) columns.add(Math.floor((item / Math.max(1, itemCount)) * width))
    for (const x of columns) context.fillRect(x, 4, 1.5, height - 8)
    const landing = work.plan?.landing
    if (landing) {
      context.fillStyle = this.colors.landing
      context.fillRect(place(landing.scrollTop), 1, 2, height - 2)
    }
    context.fillStyle = this.colors.frame
    context.fillRect(Math.min(place(scroller.top), width - 3), 0, Math.max(3, place(scroller.height)), height)
  }

  #colors() {
    if (this.colors) return
    this.colors = {}
    for (const swatch of this.swatches) this.colors[swatch.dataset.swatch] = getComputedStyle(swatch).color
  }
}

function outline(context, x, y, width, height, color, thick) {
  context.strokeStyle = color
  context.lineWidth = thick ? 2 : 1.2
  context.strokeRect(x + 1, y + 1, Math.max(1, width - 2), Math.max(1, height - 2))
}

/** A canvas whose pixels are the screen's, drawn on in CSS pixels. */
export function sized(canvas) {
  const ratio = devicePixelRatio || 1
  const { clientWidth: width, clientHeight: height } = canvas
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
  }
  const context = canvas.getContext('2d')
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  return { context, width, height }
}
