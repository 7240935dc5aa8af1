// Two panes side by side that play the same scroll. Opens, scrolls and measures both together.

import { Playback } from '../trace/playback.js'
import { ComputerLoad } from './computer-load.js'
import { Pane } from './pane.js'
import { paneLayout } from './setup.js'

export class PanePair {
  panes
  /** @type {Playback | null} The scroll being played, or null if the person scrolls. */
  playback = null
  /** @type {ComputerLoad} Load of the browser and the server, which both sides share. */
  load
  #began = 0 // ms
  #frame = 0

  /** Creates two panes from copies of the template. `handlers` as for `Pane`. */
  constructor(template, handlers) {
    this.panes = [0, 1].map((side) => {
      const root = template.content.firstElementChild.cloneNode(true)
      root.dataset.side = side
      template.parentNode.append(root)
      return new Pane(root, handlers)
    })
  }

  /** Size of a pane in px, and the layout of both panes' cells. */
  get room() {
    const smallest = (side) => Math.floor(Math.min(...this.panes.map(({ view }) => view[side])))
    const [width, height] = [smallest('clientWidth'), smallest('clientHeight')]
    return { width, height, layout: paneLayout(width, height) }
  }

  /** Opens a cold session for each of two `sides`. `alike` are options for both sessions, passed to `Pane.open` with the `room`. */
  open(gallery, room, alike, sides) {
    return Promise.all(this.panes.map((pane, index) => {
      const { policy, prefetching } = sides[index]
      return pane.open({ gallery, ...room, ...alike, policy, prefetching })
    }))
  }

  /** Resolves when both sides show a full screen, or at `end` (ms) at the latest. The first screens are not part of the comparison. */
  firstScreens(end, isOver) {
    return new Promise((resolve) => {
      const check = (now) => {
        if (isOver() || now > end || this.panes.every((pane) => !pane.blank.length)) resolve()
        else requestAnimationFrame(check)
      }
      check(performance.now())
    })
  }

  /**
   * Plays `samples` (null: the person scrolls) and starts measuring both sides. `drawn(now)` is called in each frame.
   * `includesQueue` as for `ComputerLoad.frame`.
   */
  run(samples, drawn, includesQueue = true) {
    this.load = new ComputerLoad()
    this.playback = samples && new Playback(samples)
    this.#began = performance.now()
    for (const pane of this.panes) pane.watchLine() // the first screens do not count
    const step = (now) => {
      this.#frame = requestAnimationFrame(step)
      this.load.frame(now, includesQueue)
      this.#play(now)
      for (const pane of this.panes) pane.measure(now)
      drawn(now)
    }
    this.#frame = requestAnimationFrame(step)
  }

  /** Returns the time since the scroll began, ms. */
  passed(now) {
    return now - this.#began
  }

  #play(now) {
    const before = this.playback?.last
    const sample = this.playback?.due(this.passed(now))
    // While the scroll pauses, its samples are equal. The server gets each position once.
    if (!sample || (sample.y === before?.y && sample.phase === before?.phase)) return
    for (const pane of this.panes) pane.scroll(sample.y, sample.phase ?? 'wheel')
  }

  /** Measures until now, and stops measuring. */
  finish() {
    cancelAnimationFrame(this.#frame)
    const now = performance.now()
    for (const pane of this.panes) {
      pane.measure(now)
      pane.tally.finish(now)
    }
  }

  empty() {
    for (const pane of this.panes) pane.empty()
  }

  /** Ends both sessions. The pictures stay visible. */
  close() {
    cancelAnimationFrame(this.#frame)
    for (const pane of this.panes) pane.close()
  }
}
