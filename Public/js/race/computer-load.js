// Load of this computer during a comparison. Both panes share the browser and the server, so one measurement covers both.

import { get } from '../session/api.js'

const LONG = 200 // ms: fewer than 5 frames a second. Two cores without a GPU draw a race in frames of up to 150 ms
const DEEP = 25 // pictures waiting to be rendered: the number of cells in a pane
const SAMPLING = 1000 // ms between requests for the length of the render queue

/**
 * Whether the computer was too busy to compare two sides: long frames took more than half of the time, or the render queue was deep in
 * more than half of the samples. The largest frame and the largest sample are ignored.
 * @param {number[]} frames Durations of the frames, ms.
 * @param {number[]} [queue] Samples of the number of pictures waiting to be rendered. Empty if unknown.
 */
export function isBusy(frames, queue = []) {
  const [usual, samples] = [frames, queue].map(withoutLargest)
  return sum(usual.filter((duration) => duration > LONG)) > sum(usual) / 2 || samples.filter((length) => length > DEEP).length > samples.length / 2
}

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, number) => all + number, 0)

const withoutLargest = (/** @type {number[]} */ numbers) => [...numbers].sort((a, b) => a - b).slice(0, -1)

export class ComputerLoad {
  #frames = []
  #queue = []
  #last = NaN // time of the last frame, ms
  #requestedAt = -Infinity // time of the last request for the render queue, ms

  /** Call this when a frame begins, at `now` (ms). `includesQueue`: whether the render queue is measured as well. */
  frame(now, includesQueue) {
    if (now > this.#last) this.#frames.push(now - this.#last)
    this.#last = now
    if (!includesQueue || now - this.#requestedAt < SAMPLING) return
    this.#requestedAt = now
    get('api/v1/stats').then(({ tasks_queued: queued }) => {
      this.#queue.push(queued.find(({ labels }) => labels.stage === 'render').value)
    }, () => {}) // measuring the frames is enough
  }

  get isBusy() {
    return isBusy(this.#frames, this.#queue)
  }
}
