// Keeps the person's scrolling: the last minute always, and all of it from the press of a button to the next.

const KEPT = 60_000 // ms
const MOST = 36_000 // samples of a recording, ten minutes at 60 a second

export class Recorder {
  #header = null
  #samples = []
  #recording = null

  /** Begins anew where positions mean something else than before. `viewport` in px, `layout` as in the API. */
  begin({ itemCount, viewport: { width, height }, layout }) {
    const header = { version: 1, itemCount, viewport: { width, height }, layout }
    if (JSON.stringify(header) === JSON.stringify(this.#header)) return
    this.#header = header
    this.#samples = []
    if (this.#recording) this.#recording = []
  }

  /** `t` in ms of any clock, `y` the position in px, `hint` where the person may go next. */
  take(t, y, phase, hint) {
    if (!this.#header) return
    const sample = { t, y, phase, hint }
    this.#samples.push(sample)
    // The minute's first sample is the last one before it: where the scroll stood then.
    let old = 0
    while (old + 1 < this.#samples.length && this.#samples[old + 1].t < t - KEPT) old += 1
    if (old) this.#samples.splice(0, old)
    if (this.#recording && this.#recording.length < MOST) this.#recording.push(sample)
  }

  get isRecording() {
    return this.#recording !== null
  }

  /** Begins a recording at where the scroll stands now. */
  start(t, y) {
    this.#recording = []
    this.take(t, y, 'idle')
  }

  /** Ends it: a trace as text, or null where nothing was recorded. */
  stop(t, y) {
    this.take(t, y, 'idle')
    const samples = this.#recording
    this.#recording = null
    return this.#trace(samples)
  }

  /** The last minute as a trace, up to now. */
  lastMinute(t, y) {
    this.take(t, y, 'idle')
    return this.#trace(this.#samples)
  }

  /** NDJSON as `lookahead replay` reads it: the header, then a sample a line, times from 0. */
  #trace(samples) {
    if (!samples.length) return null
    const start = samples[0].t
    const tenths = (x) => Math.round(x * 10) / 10
    const lines = samples.map(({ t, y, phase, hint }) => JSON.stringify({ t: tenths(Math.max(0, t - start)), y: tenths(y), phase, hint }))
    return [JSON.stringify(this.#header), ...lines, ''].join('\n')
  }
}

/** Hands a trace to the person as a file. */
export function save(text, name) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
