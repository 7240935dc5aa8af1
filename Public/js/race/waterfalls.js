// The waterfalls of both sides, with the same axes.

import { ScrollRecord } from '../waterfall/record.js'
import { Waterfall } from '../waterfall/waterfall.js'

const number = new Intl.NumberFormat('en')

export class Waterfalls {
  #panes
  /** @type {Waterfall[]} */
  #drawn = []

  constructor(/** @type {import('./pane.js').Pane[]} */ panes) {
    this.#panes = panes
    for (const { root } of panes) {
      const label = (/** @type {number} */ y) => this.#label(y)
      this.#drawn.push(new Waterfall(root.querySelector('.waterfall'), { record: new ScrollRecord({}), beside: this.#drawn[0], label }))
    }
  }

  /** Removes the records, or shows the present ones in full if the race `isOver`. */
  show(isOver = false) {
    for (const [index, waterfall] of this.#drawn.entries()) {
      waterfall.isLive = !isOver
      waterfall.show(isOver ? this.#panes[index].feed.record : new ScrollRecord({}))
      waterfall.draw()
    }
  }

  /** Draws the records up to `now` (ms). Call this in each frame of a race. */
  draw(/** @type {number} */ now) {
    for (const [index, waterfall] of this.#drawn.entries()) {
      const { record } = this.#panes[index].feed
      if (record !== waterfall.record) waterfall.show(record)
      waterfall.draw(now)
    }
  }

  /** Names the first picture at or below a position. */
  #label(y) {
    const { layout, scroller } = this.#panes[0]
    const row = layout?.rows(y, y + scroller.height)[0]
    return row ? number.format(row.from + 1) : ''
  }
}
