// The last minute of a scroll: time runs across, the position in the gallery down. Each picture is a bar.

import { Axes, roundStep, ticks, timeText } from './axes.js'
import { listenToGestures } from './gestures.js'
import { barPaths, bandPaths, LEVELS } from './paths.js'
import { isPending, lastTime, LENGTH } from './record.js'

const PACE = 30 // ms per px while following
const [GUTTER, BELOW, NARROW] = [104, 20, 560] // px: labels of positions, labels of times, and the width below which there is no gutter
const REACH = 5 // maximum px between the pointer and its bar
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
const ZOOMS = { '+': 1.4, '=': 1.4, '-': 1 / 1.4 }
const HUES = ['band', 'blank', 'line', 'text', 'quiet', 'ground', 'wanted', 'loading', 'wasted', 'ready', 'cancelled', 'failed', 'stop']
const BARS = ['wanted', 'wasted', 'loading', 'ready', 'cancelled', 'failed'] // from back to front

/**
 * @typedef {import('./record.js').ScrollRecord} ScrollRecord
 * @typedef {(picture: import('./record.js').Picture | null, record: ScrollRecord) => void} Listener
 * @typedef {{label?: (y: number) => string, pointed?: Listener, chosen?: Listener, sought?: (t: number) => void}} Listeners
 */

const padded = ({ top, bottom }) => ({ top: top - (bottom - top) / 25, bottom: bottom + (bottom - top) / 25 })

export class Waterfall {
  /** Whether the newest moment stays in the view until the person pans. Takes effect with the next record. */
  isLive
  #canvas
  #options
  #axes
  #view = null // the drawn part of the axes
  #cursor = null // ms
  #size = { width: 0, height: 0 } // CSS px
  #plot = { left: 0, top: 0, width: 1, height: 1 }
  #colors = null // by hue. Read again after a change of the colour scheme
  #isStale = true
  #isFitted = true // until the person zooms or pans
  #revision = -1
  #end = 0 // newest moment, ms
  #pointed = null
  #selected = null
  #stillness = matchMedia('(prefers-reduced-motion: reduce)')

  /**
   * `label(y)` names a position. `pointed` is called when the pointer moves, with null outside of the plot, `chosen` when the selection
   * changes, and `sought` with the time of a click beside all bars, if there is a cursor. A waterfall `beside` another one shares its zoom.
   * @param {HTMLCanvasElement} canvas
   * @param {{record: ScrollRecord, isLive?: boolean, beside?: Waterfall} & Listeners} options
   */
  constructor(canvas, { record, isLive = false, beside, label = String, pointed = () => {}, chosen = () => {}, sought = () => {} }) {
    this.#canvas = canvas
    this.isLive = isLive
    this.#options = { beside, label, pointed, chosen, sought }
    this.#axes = beside ? beside.#axes : new Axes()
    canvas.tabIndex = 0
    for (const query of ['color-scheme: dark', 'contrast: more']) {
      matchMedia(`(prefers-${query})`).addEventListener('change', () => (this.#colors = null))
    }
    new ResizeObserver(([{ contentRect: { width, height } }]) => this.#resize(width, height)).observe(canvas)
    listenToGestures(canvas, {
      pan: (dx, dy) => this.#change(() => this.#axes.pan(dx, dy)),
      zoom: (factor, x, y) => this.#change(() => this.#axes.zoom(factor, x, y)),
      point: (x, y) => this.#point(x, y),
      click: (x, y) => this.#click(x, y),
      fit: () => this.fit(),
      key: (key) => this.#key(key),
    })
    this.show(record)
  }

  /** Shows another record. */
  show(/** @type {import('./record.js').ScrollRecord} */ record) {
    this.record = record
    this.#revision = -1
    this.#pointed = this.#selected = null
    this.fit()
  }

  /** Shows the whole minute, or the newest moments of a live record. */
  fit() {
    this.#isFitted = this.#isStale = true
    this.#axes.isFollowing = this.isLive
    this.#axes.span = Math.min(LENGTH, PACE * this.#plot.width)
    if (this.#revision >= 0) this.#axes.fit()
  }

  /** Selects a picture, or none. */
  choose(/** @type {import('./record.js').Picture | null} */ picture) {
    if (picture === this.#selected) return
    this.#selected = picture
    this.#isStale = true
    this.#options.chosen(picture, this.record)
  }

  /** Draws a line at a moment (ms), or none (null). */
  set cursor(/** @type {number | null} */ t) {
    this.#isStale ||= t !== this.#cursor
    this.#cursor = t
  }

  /** Draws the record if anything has changed. Call this in each frame. Returns whether it has drawn. */
  draw(now = performance.now()) {
    const isNew = this.record.revision !== this.#revision
    const { isLive } = this
    this.#isStale ||= isNew || !this.#colors || this.#view !== this.#axes.view
    if (!this.#size.width || !(isLive || this.#isStale)) return false
    // Following by whole pixels draws less often, and bars do not shimmer.
    const pace = this.#stillness.matches ? 1000 : this.#axes.span / this.#plot.width
    const end = isLive ? Math.ceil(Math.max(this.record.end, now - this.record.start) / pace) * pace : this.record.end
    if (isNew || (this.#axes.isFollowing && end !== this.#end)) {
      if (!this.#options.beside) this.#axes.limit({ from: Math.max(0, end - this.record.length), to: end, ...padded(this.record.bounds()) })
      if (!this.#options.beside && (this.#revision < 0 || (this.#isFitted && !this.#axes.isFollowing))) this.#axes.fit()
      this.#revision = this.record.revision
    }
    this.#end = end
    if (this.#axes.isFollowing) {
      const isMoved = this.#axes.follow(end, padded(this.record.bounds(end - this.#axes.span, end)), !this.#stillness.matches)
      this.#isStale ||= isMoved
    }
    if (!this.#isStale) return false
    this.#isStale = false
    this.#view = this.#axes.view
    this.#colors ??= this.#readColors()
    this.#paint()
    return true
  }

  #paint() {
    const [{ width, height }, plot, ratio] = [this.#size, this.#plot, devicePixelRatio || 1]
    const resolution = { width: Math.round(width * ratio), height: Math.round(height * ratio) }
    if (this.#canvas.width !== resolution.width || this.#canvas.height !== resolution.height) Object.assign(this.#canvas, resolution)
    const context = this.#canvas.getContext('2d')
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, width, height)
    context.save()
    context.beginPath()
    context.rect(plot.left, plot.top, plot.width, plot.height)
    context.clip()
    const { band, edges, blanks, stop } = bandPaths(this.record, this.#axes, this.#end)
    const fill = (path, hue, globalAlpha = 1) => Object.assign(context, { fillStyle: this.#colors[hue], globalAlpha }).fill(path)
    const stroke = (path, hue, lineWidth, globalAlpha = 1) =>
      Object.assign(context, { strokeStyle: this.#colors[hue], lineWidth, globalAlpha }).stroke(path)
    fill(band, 'band')
    for (const [level, path] of blanks.entries()) fill(path, 'blank', (level + 1) / LEVELS)
    const { from, to } = this.#axes.view
    const step = roundStep(to - from, Math.max(2, plot.width / 72))
    const grid = new Path2D()
    for (const t of ticks(from, to, step)) grid.rect(Math.round(this.#axes.x(t)), plot.top, 1, plot.height)
    fill(grid, 'line')
    stroke(edges, 'quiet', 1, 0.6)
    const bars = barPaths(this.record, this.#axes, plot, this.#end)
    for (const style of BARS) if (bars[style]) fill(bars[style], style)
    if (bars.cross) stroke(bars.cross, 'cancelled', 1)
    context.setLineDash([5, 3])
    stroke(stop, 'stop', 1.5)
    context.setLineDash([])
    for (const picture of new Set([this.#pointed, this.#selected])) {
      if (picture) stroke(this.#outline(picture), 'text', picture === this.#selected ? 2 : 1)
    }
    if (this.#cursor !== null) {
      const line = new Path2D()
      line.rect(Math.round(this.#axes.x(this.#cursor)) - 1, plot.top, 2, plot.height)
      fill(line, 'text')
    }
    context.restore()
    this.#labels(context, step)
  }

  /** Writes the labels of both axes. A halo keeps those over bars legible. */
  #labels(context, step) {
    const { left, top, width, height } = this.#plot
    const { view } = this.#axes
    context.font = `12px ${this.#colors.font}`
    Object.assign(context, { fillStyle: this.#colors.quiet, strokeStyle: this.#colors.ground, lineWidth: 3, lineJoin: 'round' })
    Object.assign(context, { textAlign: 'center', textBaseline: 'middle' })
    for (const t of ticks(view.from, view.to, step)) {
      const text = timeText(t, step)
      const half = context.measureText(text).width / 2
      context.fillText(text, Math.min(Math.max(this.#axes.x(t), half + 2), left + width - half - 2), top + height + BELOW / 2 + 1)
    }
    context.textAlign = left ? 'right' : 'left'
    const x = left ? left - 8 : 4
    let last = ''
    for (const place of ticks(view.top, view.bottom, roundStep(view.bottom - view.top, height / 36))) {
      const text = place < 0 ? '' : this.#options.label(place)
      const y = this.#axes.y(place)
      if (!text || text === last || y < top + 8 || y > top + height - 8) continue
      last = text
      if (!left) context.strokeText(text, x, y)
      context.fillText(text, x, y, GUTTER - 10)
    }
  }

  #outline(picture) {
    const { top, height } = this.record.bar(picture)
    const [from, to] = [picture.wanted, isPending(picture) ? this.#end : lastTime(picture)].map(this.#axes.x)
    const path = new Path2D()
    path.rect(from - 2.5, Math.round(this.#axes.y(top)) - 2.5, to - from + 5, Math.max(1, Math.round(height * this.#axes.perPlace)) + 4)
    return path
  }

  #resize(width, height) {
    if (!width) return // hidden
    const left = width < NARROW ? 0 : GUTTER
    this.#size = { width, height }
    this.#plot = { left, top: 1, width: Math.max(1, width - left), height: Math.max(1, height - BELOW - 1) }
    this.#axes.resize(this.#plot)
    if (this.#isFitted && !this.#options.beside) this.fit()
    this.#isStale = true
  }

  #readColors() {
    const colors = { font: getComputedStyle(this.#canvas).fontFamily }
    for (const hue of HUES) {
      this.#canvas.style.color = `var(--waterfall-${hue})`
      colors[hue] = getComputedStyle(this.#canvas).color
    }
    this.#canvas.style.color = ''
    return colors
  }

  #change(action) {
    action()
    this.#isFitted = false
    this.#isStale = true
  }

  #at(x, y) {
    return this.record.pictureAt(this.#axes.timeAt(x), this.#axes.placeAt(y), { t: REACH / this.#axes.perTime, y: REACH / this.#axes.perPlace })
  }

  #click(x, y) {
    const picture = this.#at(x, y)
    if (!picture && this.#cursor !== null) this.#options.sought(this.#axes.timeAt(x))
    this.choose(picture)
  }

  #point(x, y) {
    const { left, top, width, height } = this.#plot
    const isInside = x >= left && x <= left + width && y >= top && y <= top + height
    const picture = isInside ? this.#at(x, y) : null
    this.#isStale ||= picture !== this.#pointed
    this.#pointed = picture
    this.#options.pointed(picture, this.record)
  }

  /** Returns whether it used a key. */
  #key(key) {
    const { left, top, width, height } = this.#plot
    const [x, y] = [left + width / 2, top + height / 2]
    const [dx, dy] = ARROWS[key] ?? [0, 0]
    if (key in ARROWS) this.#change(() => this.#axes.pan((-dx * width) / 10, (-dy * height) / 10))
    else if (key in ZOOMS) this.#change(() => this.#axes.zoom(ZOOMS[key], x, y))
    else if (key === 'End' && this.isLive) this.fit()
    else if (key === 'Home' || key === 'End') this.#change(() => this.#axes.pan((key === 'Home' ? 1 : -1) * LENGTH * this.#axes.perTime, 0))
    else if (key === 'Escape' && this.#selected) this.choose(null)
    else return false
    return true
  }
}
