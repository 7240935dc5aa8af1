// A recorded scroll while it is played: which of its samples is due.

export class Playback {
  /** The sample that was due last. */
  last = null
  #samples
  #next = 0

  /** @param {{t: number, y: number, phase?: string}[]} samples At least one, by time in ms. */
  constructor(samples) {
    this.#samples = samples
  }

  /** How long it lasts, ms. */
  get length() {
    return this.#samples.at(-1).t - this.#samples[0].t
  }

  get isOver() {
    return this.#next >= this.#samples.length
  }

  /** The latest sample that became due by `time`, ms since the start; null where none has since the last call. */
  due(time) {
    const samples = this.#samples
    let sample = null
    while (!this.isOver && samples[this.#next].t - samples[0].t <= time) sample = samples[this.#next++]
    this.last = sample ?? this.last
    return sample
  }
}
