// The record of a scroll session as data: the samples, predicted stops and pictures of its last minute.

/** Length of a record, ms. */
export const LENGTH = 60_000

const MAXIMUM_PICTURES = 4096
const MAXIMUM_SAMPLES = 3600
const PAUSE = 100 // ms between two samples if the scroll paused. The position then stays until the second one
const ROUNDING = 1 // ms between two times that are equal except for rounding
const ROW = 64 // maximum pictures in a row

/**
 * All times are in ms since the start of the record. Positions are in CSS px of the content.
 * @typedef {{t: number, y: number, phase?: string, visible: number, blank: number}} ScrollSample `blank` of the `visible` cells have no picture.
 * @typedef {{t: number, y: number, confidence: number}} PredictedStop
 * @typedef {{
 *   item: number, top: number, height: number, wanted: number, reason?: string, neededIn?: number, place?: number, requested?: number,
 *   waitedFor?: string, limit?: number, arrived?: number, seen?: number, cancelled?: number, cause?: string, failed?: number, bytes?: number
 * }} Picture `place` is the one in the queue, from 0 on.
 */

/** Returns the time of the last thing that happened to a picture. */
export const lastTime = (/** @type {Picture} */ { seen, arrived, cancelled, failed, requested, wanted }) =>
  seen ?? arrived ?? cancelled ?? failed ?? requested ?? wanted

/** Whether a picture is still waiting or loading. */
export const isPending = (/** @type {Picture} */ picture) => (picture.arrived ?? picture.cancelled ?? picture.failed) === undefined

/** Returns the index of the last entry of a list at or before a time, or -1. */
export function indexAt(/** @type {{t: number}[]} */ list, /** @type {number} */ t) {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle].t <= t) low = middle + 1
    else high = middle
  }
  return low - 1
}

export class ScrollRecord {
  /** @type {Picture[]} In order of `wanted`. */
  pictures = []
  /** @type {ScrollSample[]} */
  samples = []
  /** @type {PredictedStop[]} */
  stops = []
  end = 0
  length = LENGTH // ms that are kept
  revision = 0 // grows with each change
  #held // ranges of items that the page had before
  #rows = new Map() // first and last item by top

  /** The first argument is a record of the server, version 1. The times of the new record count from `origin`, a time of the page. */
  constructor(
    { start = 0, end = 0, viewport = { width: 1, height: 1 }, samples = [], exposure = [], stops = [], held = [], pictures = [] },
    origin = start,
  ) {
    this.start = origin
    this.length = Math.max(LENGTH, end)
    this.viewport = viewport
    this.#held = [...held]
    this.samples = joined(samples, exposure).map((sample) => ({ ...sample, t: sample.t + start - origin }))
    this.merge({ start, end: Math.max(end, samples.at(-1)?.t ?? 0), stops, pictures })
  }

  /** Time of the first sample. */
  get beginning() {
    return this.samples[0]?.t ?? this.end
  }

  /** Returns a copy that stays as it is. */
  copy() {
    return new ScrollRecord({ ...this, held: this.#held, exposure: this.samples })
  }

  /** Adds a sample of the page. Call this in each frame. */
  add(/** @type {ScrollSample} */ sample) {
    const last = this.samples.at(-1)
    this.end = Math.max(this.end, sample.t)
    if (last && last.y === sample.y && last.blank === sample.blank && last.visible === sample.visible && last.phase === sample.phase) return
    if (last && sample.t < last.t) return
    this.samples.push(sample)
    this.#drop()
  }

  /** Adds the changes of an event. A different `start` means that the server counts the times from a later moment. */
  merge({ start = this.start, end = this.end, stops = [], pictures = [] }) {
    const shift = start - this.start
    this.end = Math.max(this.end, end + shift)
    for (const stop of stops) this.stops.push({ ...stop, t: stop.t + shift })
    const known = new Map(pictures.map(({ item }) => [item, []]))
    if (pictures.length) for (const picture of this.pictures) known.get(picture.item)?.push(picture)
    for (const news of pictures) {
      const picture = { ...news }
      if (shift) for (const time of ['wanted', 'requested', 'arrived', 'seen', 'cancelled', 'failed']) if (time in picture) picture[time] += shift
      const old = known.get(picture.item).find(({ wanted }) => Math.abs(wanted - picture.wanted) < ROUNDING)
      if (old) Object.assign(old, picture)
      else {
        known.get(picture.item).push(picture)
        this.pictures.push(picture)
        this.#place(picture)
      }
    }
    this.pictures.sort((a, b) => a.wanted - b.wanted)
    this.#drop()
  }

  /** Removes everything that is more than a minute old. */
  #drop() {
    this.revision++
    const from = this.end - this.length
    const minutes = Math.ceil(this.length / LENGTH)
    shorten(this.samples, from, minutes * MAXIMUM_SAMPLES)
    shorten(this.stops, from, minutes * MAXIMUM_SAMPLES)
    const excess = this.pictures.length - minutes * MAXIMUM_PICTURES
    const isKept = (/** @type {Picture} */ picture, /** @type {number} */ index) => index >= excess && lastTime(picture) >= from
    if (this.pictures.every(isKept)) return
    const gone = this.pictures.filter((picture, index) => !isKept(picture, index))
    this.#held = [...this.#held, ...gone.flatMap(({ item, arrived }) => (arrived === undefined ? [] : [[item, item]]))].slice(-MAXIMUM_PICTURES)
    this.pictures = this.pictures.filter(isKept)
    this.#rows.clear()
    for (const picture of this.pictures) this.#place(picture)
  }

  #place({ item, top }) {
    const row = this.#rows.get(top)
    if (!row) this.#rows.set(top, [item, item])
    else if (Math.max(item, row[1]) - Math.min(item, row[0]) < ROW) this.#rows.set(top, [Math.min(item, row[0]), Math.max(item, row[1])])
  }

  /** Returns the top and the height of a picture's bar. The pictures of a row share the height of the row. */
  bar(/** @type {Picture} */ { item, top, height }) {
    const [first, last] = this.#rows.get(top) ?? [item, item]
    const part = height / (last - first + 1)
    return item < first || item > last ? { top, height } : { top: top + (item - first) * part, height: part }
  }

  /** Whether the page had an item's picture at a time. */
  isLoaded(/** @type {number} */ item, /** @type {number} */ t) {
    const isHeld = this.#held.some(([first, last]) => item >= first && item <= last)
    return isHeld || this.pictures.some((picture) => picture.item === item && picture.arrived <= t)
  }

  /** Returns the scroll position at a time. */
  yAt(/** @type {number} */ t) {
    const index = indexAt(this.samples, t)
    const [before, after] = [this.samples[Math.max(0, index)], this.samples[index + 1]]
    if (index < 0 || !after || after.t - before.t > PAUSE) return before?.y ?? 0
    return before.y + ((after.y - before.y) * (t - before.t)) / (after.t - before.t)
  }

  /** Returns the stop that was predicted at a time, if any. */
  stopAt(/** @type {number} */ t) {
    return this.stops[indexAt(this.stops, t)]
  }

  /** Returns the samples between two times, each with the time until which it holds and the position then. */
  steps(from = -Infinity, to = Infinity) {
    const first = Math.max(0, indexAt(this.samples, from))
    return this.samples.slice(first, indexAt(this.samples, to) + 1).map((sample, index) => {
      const next = this.samples[first + index + 1]
      return { sample, until: next?.t ?? this.end, y: next && next.t - sample.t <= PAUSE ? next.y : sample.y }
    })
  }

  /** Returns the share of visible cells without a picture, weighted by time. NaN if no cell was visible. */
  blankShare(from = -Infinity, to = Infinity) {
    let [blank, visible] = [0, 0]
    for (const { sample, until } of this.steps(from, to)) {
      const time = Math.max(0, Math.min(to, until) - Math.max(from, sample.t))
      blank += sample.blank * time
      visible += sample.visible * time
    }
    return blank / visible
  }

  /**
   * Returns the share of bytes that were downloaded for pictures nobody has seen. Counts pictures if the bytes of one are unknown.
   * NaN if nothing was downloaded.
   */
  wasteShare() {
    const isTaken = (/** @type {Picture} */ { requested, arrived, cancelled }) =>
      arrived !== undefined || (requested !== undefined && cancelled !== undefined)
    const taken = this.pictures.filter(isTaken)
    const isMeasured = taken.every(({ bytes, requested, arrived }) => bytes !== undefined || requested === undefined || arrived === undefined)
    const sum = (pictures) => pictures.reduce((all, { bytes = 0 }) => all + (isMeasured ? bytes : 1), 0)
    return sum(taken.filter(({ seen }) => seen === undefined)) / sum(taken)
  }

  /** Returns the picture whose bar is nearest to a point, at most `tolerance` ms and px away. Returns null if there is none. */
  pictureAt(/** @type {number} */ t, /** @type {number} */ y, tolerance = { t: 0, y: 0 }) {
    let [nearest, least] = [null, 1]
    for (const picture of this.pictures) {
      const { top, height } = this.bar(picture)
      const until = isPending(picture) ? this.end : lastTime(picture)
      const across = Math.max(0, picture.wanted - t, t - until) / (tolerance.t || Number.MIN_VALUE)
      const down = Math.max(0, top - y, y - top - height) / (tolerance.y || Number.MIN_VALUE)
      if (Math.hypot(across, down) <= least) [nearest, least] = [picture, Math.hypot(across, down)]
    }
    return nearest
  }

  /** Returns the positions between two times: of the viewport, and of the pictures. */
  bounds(from = -Infinity, to = Infinity) {
    let [top, bottom] = [Infinity, -Infinity]
    const include = (y, height) => ([top, bottom] = [Math.min(top, y), Math.max(bottom, y + height)])
    for (const { sample } of this.steps(from, to)) include(sample.y, this.viewport.height)
    for (const picture of this.pictures) {
      if (picture.wanted <= to && (isPending(picture) || lastTime(picture) >= from)) include(picture.top, picture.height)
    }
    return top < bottom ? { top, bottom } : { top: 0, bottom: this.viewport.height }
  }
}

/** Removes the old entries of a list. The entry that holds at time `from` stays, and begins there. */
function shorten(/** @type {{t: number}[]} */ list, /** @type {number} */ from, /** @type {number} */ most) {
  list.splice(0, Math.max(indexAt(list, from), list.length - most, 0))
  if (list[0]?.t < from) list[0] = { ...list[0], t: from }
}

/**
 * Returns samples with the numbers of visible and blank cells. The position stays between the samples of a record.
 * @param {{t: number, y: number, phase?: string}[]} samples
 * @param {{t: number, visible: number, blank: number}[]} exposure
 */
function joined(samples, exposure) {
  const times = [...new Set([...samples, ...exposure].map(({ t }) => t))].sort((a, b) => a - b)
  return times.map((t) => {
    const sample = samples[Math.max(0, indexAt(samples, t))] ?? { y: 0 }
    return { ...sample, visible: 0, blank: 0, ...exposure[indexAt(exposure, t)], t }
  })
}
