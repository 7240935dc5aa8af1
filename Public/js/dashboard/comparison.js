// Compares the scroll just made with prefetching and without: the server plays it twice in the simulator. Says so where
// both are alike because the network was full.

import { get } from '../session/api.js'
import { LineUse, wasLimit } from './line-use.js'

const REST = 1000 // ms after the last movement
const LEAST = 5000 // ms between two comparisons
const DRAW = 0.02 // of blank share: less is no difference

const percent = (share) => `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}%`

export class Comparison {
  #root
  #path
  #movedAt = -Infinity // ms
  #askedAt = -Infinity
  #isStale = false // the content has moved since it was asked for
  #line = new LineUse()

  /** `path()` is the session's, null while there is none. */
  constructor(root, path) {
    this.#root = root
    this.#path = path
  }

  /** The content moves. */
  moved() {
    this.#movedAt = performance.now()
    this.#isStale = true
  }

  /** Takes the `stats` of a second. */
  hear(stats) {
    this.#line.hear(stats)
  }

  /** The next event is of another session, or comes after a gap. */
  restart() {
    this.#line = new LineUse()
  }

  /** The figures on show are out of date. */
  clear() {
    this.restart()
    this.#root.hidden = true
  }

  /** To be called now and then: asks once the content rests. */
  async look(now = performance.now()) {
    const path = this.#path()
    if (!path || !this.#isStale || now - this.#movedAt < REST || now - this.#askedAt < LEAST) return
    this.#isStale = false
    this.#askedAt = now
    try {
      this.#show(await get(`${path}/comparison`))
    } catch (error) {
      this.#isStale = error.status === 429 // somebody else's is being made
    }
  }

  #show({ duration, network, with: ahead, without }) {
    this.#root.hidden = false
    const isAlike = Math.abs(ahead.blankShare - without.blankShare) < DRAW
    const use = this.#line.share(network.bandwidth, duration + REST)
    const wasFull = wasLimit(use, ahead.blankShare, isAlike)
    const part = (name) => this.#root.querySelector(name)
    part('h3').hidden = part('dl').hidden = isAlike && wasFull
    part('p').hidden = !wasFull
    part('p').textContent =
      isAlike
        ? `The network was full: ${percent(ahead.blankShare)} of what you scrolled past was blank, with or without prefetching.`
        : `The network was full: downloads used ${percent(use)} of it while cells were blank.`
    for (const [name, share] of [['with', ahead.blankShare], ['without', without.blankShare]]) {
      const row = this.#root.querySelector(`[data-side="${name}"]`)
      row.querySelector('dd').textContent = percent(share)
      row.style.setProperty('--share', `${share * 100}%`)
    }
    const bandwidth = Number(network.bandwidth.toPrecision(2))
    part('small').textContent =
      `Your last ${Math.max(1, Math.round(duration / 1000))}\u00a0s of scrolling, simulated on the network as measured: ${Math.round(network.latency)}\u00a0ms, ${bandwidth}\u00a0Mbit/s.`
  }
}
