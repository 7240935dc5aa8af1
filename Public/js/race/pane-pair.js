// Two panes beside each other that play one scroll: opened, moved and measured together.

import { Playback } from '../trace/playback.js'
import { ComputerLoad } from './computer-load.js'
import { Pane } from './pane.js'
import { paneLayout } from './setup.js'

export class PanePair {
  panes
  /** @type {Playback | null} what is played; null while the person scrolls */
  playback = null
  /** @type {ComputerLoad} of the browser and the server, which both sides share */
  load
  #began = 0 // ms
  #frame = 0

  /** Each pane is in a copy of the template, which knows its side. `handlers` as of `Pane`. */
  constructor(template, handlers) {
    this.panes = [0, 1].map((side) => {
      const root = template.content.firstElementChild.cloneNode(true)
      root.dataset.side = side
      template.parentNode.append(root)
      return new Pane(root, handlers)
    })
  }

  /** The size of a pane, px, and the layout of both panes' cells. */
  get room() {
    const least = (side) => Math.floor(Math.min(...this.panes.map(({ view }) => view[side])))
    const [width, height] = [least('clientWidth'), least('clientHeight')]
    return { width, height, layout: paneLayout(width, height) }
  }

  /** Opens a cold session for each of two `sides`; `alike` is what both are given beside the `room`, as to `Pane.open`. */
  open(gallery, room, alike, sides) {
    return Promise.all(this.panes.map((pane, index) => {
      const { policy, prefetching } = sides[index]
      return pane.open({ gallery, ...room, ...alike, policy, prefetching })
    }))
  }

  /** Resolves when both sides show a full screen, so that the scroll is what is compared; by `end` (ms) at the latest. */
  firstScreens(end, isOver) {
    return new Promise((resolve) => {
      const look = (now) => {
        if (isOver() || now > end || this.panes.every((pane) => !pane.blank.length)) resolve()
        else requestAnimationFrame(look)
      }
      look(performance.now())
    })
  }

  /**
   * Plays `samples` (null: the person scrolls) and measures both sides from now on; `drawn(now)` hears of each frame. `isQueueTold`
   * as of `ComputerLoad.frame`.
   */
  run(samples, drawn, isQueueTold = true) {
    this.load = new ComputerLoad()
    this.playback = samples && new Playback(samples)
    this.#began = performance.now()
    for (const pane of this.panes) pane.watchLine() // the first screens do not count
    const step = (now) => {
      this.#frame = requestAnimationFrame(step)
      this.load.frame(now, isQueueTold)
      this.#play(now)
      for (const pane of this.panes) pane.measure(now)
      drawn(now)
    }
    this.#frame = requestAnimationFrame(step)
  }

  /** Time since the scroll began, ms. */
  passed(now) {
    return now - this.#began
  }

  #play(now) {
    const before = this.playback?.last
    const sample = this.playback?.due(this.passed(now))
    // At rest the same sample comes again and again; the server hears it once.
    if (!sample || (sample.y === before?.y && sample.phase === before?.phase)) return
    for (const pane of this.panes) pane.scroll(sample.y, sample.phase ?? 'wheel')
  }

  /** Measures up to now, and no further. */
  finish() {
    cancelAnimationFrame(this.#frame)
    const now = performance.now()
    for (const pane of this.panes) {
      pane.measure(now)
      pane.tally.finish(now)
    }
  }

  /** Takes the pictures off both sides. */
  empty() {
    for (const pane of this.panes) pane.empty()
  }

  /** Ends both sessions; the pictures stay on show. */
  close() {
    cancelAnimationFrame(this.#frame)
    for (const pane of this.panes) pane.close()
  }
}
