// Records the person's scrolling: always the last minute, and everything between two presses of the record button.

const SPAN = 60_000 // ms
const MAXIMUM = 36_000 // maximum samples per recording: ten minutes at 60 per second

export class Recorder {
  #header = null
  #samples = []
  #recording = null

  /** Restarts if positions have a new meaning. `viewport` in px, `layout` as in the API. */
  begin({ itemCount, viewport: { width, height }, layout }) {
    const header = { version: 1, itemCount, viewport: { width, height }, layout }
    if (JSON.stringify(header) === JSON.stringify(this.#header)) return
    this.#header = header
    this.#samples = []
    if (this.#recording) this.#recording = []
  }

  /** Adds a sample. `t` in ms of any clock, `y` the position in px, `hint` where the person may go next. */
  take(t, y, phase, hint) {
    if (!this.#header) return
    const sample = { t, y, phase, hint }
    this.#samples.push(sample)
    // The first sample is the last one before the minute: the position at the minute's start.
    let old = 0
    while (old + 1 < this.#samples.length && this.#samples[old + 1].t < t - SPAN) old += 1
    if (old) this.#samples.splice(0, old)
    if (this.#recording && this.#recording.length < MAXIMUM) this.#recording.push(sample)
  }

  get isRecording() {
    return this.#recording !== null
  }

  /** Starts a recording at the current position. */
  start(t, y) {
    this.#recording = []
    this.take(t, y, 'idle')
  }

  /** Ends the recording. Returns a trace as text, or null if nothing was recorded. */
  stop(t, y) {
    this.take(t, y, 'idle')
    const samples = this.#recording
    this.#recording = null
    return this.#trace(samples)
  }

  /** Returns the last minute as a trace, up to now. */
  lastMinute(t, y) {
    this.take(t, y, 'idle')
    return this.#trace(this.#samples)
  }

  /** Formats samples as NDJSON for `lookahead replay`: the header, then one sample per line. Times start at 0. */
  #trace(samples) {
    if (!samples.length) return null
    const start = samples[0].t
    const tenths = (x) => Math.round(x * 10) / 10
    const lines = samples.map(({ t, y, phase, hint }) => JSON.stringify({ t: tenths(Math.max(0, t - start)), y: tenths(y), phase, hint }))
    return [JSON.stringify(this.#header), ...lines, ''].join('\n')
  }
}

/** Saves a text as a file. */
export function save(text, name, type = 'application/x-ndjson') {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
