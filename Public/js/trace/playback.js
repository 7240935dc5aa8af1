// Playback of a recorded scroll: which of its samples is due.

export class Playback {
  last = null
  #samples
  #next = 0

  /** @param {{t: number, y: number, phase?: string}[]} samples At least one, sorted by time `t` in ms. */
  constructor(samples) {
    this.#samples = samples
  }

  /** Duration, ms. */
  get length() {
    return this.#samples.at(-1).t - this.#samples[0].t
  }

  get isOver() {
    return this.#next >= this.#samples.length
  }

  /** Returns the latest sample due at `time` (ms since the start). Null if none has become due since the last call. */
  due(time) {
    const samples = this.#samples
    let sample = null
    while (!this.isOver && samples[this.#next].t - samples[0].t <= time) sample = samples[this.#next++]
    this.last = sample ?? this.last
    return sample
  }
}
