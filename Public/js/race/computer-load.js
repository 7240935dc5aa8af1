// How busy this computer was during a comparison. Both panes share its browser and its server, so one answer is for both.

import { get } from '../session/api.js'

const LONG = 50 // ms: fewer than 20 frames a second
const FEWEST = 15 // frames a second
const DEEP = 25 // pictures waiting to be rendered: as many as a pane shows
const SAMPLING = 1000 // ms between two looks at the render queue

/**
 * Whether a computer was too busy to compare two sides: more than half of the frames were long, fewer than 15 came in a
 * second, or the render queue was deep in more than half of the samples. One single long frame or sample does not count.
 * @param {number[]} frames Durations of the frames, ms.
 * @param {number[]} [queue] Samples of the number of pictures waiting to be rendered. Empty if unknown.
 */
export function isBusy(frames, queue = []) {
  const usual = withoutLargest(frames)
  const time = usual.reduce((sum, duration) => sum + duration, 0)
  const isMost = (count, all) => all.length > 0 && count > all.length / 2
  const samples = withoutLargest(queue)
  return isMost(usual.filter((duration) => duration > LONG).length, usual)
    || usual.length * 1000 < FEWEST * time
    || isMost(samples.filter((length) => length > DEEP).length, samples)
}

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
