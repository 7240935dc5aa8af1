// What prefetching does for the scroll just made: the server plays it once more in the simulator, with it and without.

import { get } from '../session/api.js'

const REST = 1000 // ms after the last movement
const LEAST = 5000 // ms between two comparisons

const percent = (share) => `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}\u00a0%`

export class Comparison {
  #root
  #path
  #movedAt = -Infinity // ms
  #askedAt = -Infinity
  #isStale = false // the content has moved since it was asked for

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

  /** What was shown is not true any more. */
  clear() {
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
    for (const [name, share] of [['with', ahead.blankShare], ['without', without.blankShare]]) {
      const row = this.#root.querySelector(`[data-side="${name}"]`)
      row.querySelector('dd').textContent = percent(share)
      row.style.setProperty('--share', `${share * 100}%`)
    }
    const bandwidth = Number(network.bandwidth.toPrecision(2))
    this.#root.querySelector('small').textContent =
      `Your last ${Math.max(1, Math.round(duration / 1000))}\u00a0s of scrolling, played in the simulator over the network as measured: ${Math.round(network.latency)}\u00a0ms, ${bandwidth}\u00a0Mbit/s.`
  }
}
