// How busy this computer was during a comparison. Both panes share its browser and its server, so one answer is for both.

import { get } from '../session/api.js'

const LONG = 200 // ms: fewer than 5 frames a second. Two cores without graphics hardware draw a race in frames of up to 150 ms
const DEEP = 25 // pictures waiting to be rendered: as many as a pane shows
const SAMPLING = 1000 // ms between two looks at the render queue

/**
 * Whether a computer was too busy to compare two sides: frames were long for more than half of the time, or the render queue was
 * deep in more than half of the samples. One single long frame or sample does not count.
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
  #last = NaN // ms, of the frame before
  #asked = -Infinity // ms, when the render queue was asked for last

  /** A frame began at `now` (ms). `isQueueTold`: whether a deep render queue tells of a busy computer. */
  frame(now, isQueueTold) {
    if (now > this.#last) this.#frames.push(now - this.#last)
    this.#last = now
    if (!isQueueTold || now - this.#asked < SAMPLING) return
    this.#asked = now
    get('api/v1/stats').then(({ tasks_queued: queued }) => {
      this.#queue.push(queued.find(({ labels }) => labels.stage === 'render').value)
    }, () => {}) // the frames tell enough
  }

  get isBusy() {
    return isBusy(this.#frames, this.#queue)
  }
}
