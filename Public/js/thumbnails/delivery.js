// Delivers the pictures that were asked for: each that comes or fails goes to its cell, and may be asked for again.

import { FailureWatch } from './failure-watch.js'

export class ThumbnailDelivery {
  /** @type {import('../session/prefetch-state.js').PrefetchState} */
  #prefetchState
  /** @type {import('./thumbnail-cache.js').ThumbnailCache} */
  #thumbnails
  /** @type {import('./placeholders.js').Placeholders} */
  #placeholders
  /** @type {import('../grid/grid.js').Grid} */
  #grid
  #visible
  #ask
  #report
  #failures

  /**
   * `ask(item)` asks the server once more; `notify(trouble)` hears what is wrong with all in sight; `report()` of each change;
   * `isConnected()` tells whether the server is there to be asked; `inquire()` as of `FailureWatch`.
   */
  constructor({ thumbnails, placeholders, prefetchState, grid, visible, notify, ask, report, isConnected, inquire }) {
    this.#thumbnails = thumbnails
    this.#placeholders = placeholders
    this.#prefetchState = prefetchState
    this.#grid = grid
    this.#visible = visible
    this.#ask = ask
    this.#report = report
    this.#failures = new FailureWatch({ thumbnails, visible, notify, isConnected, inquire, again: (items) => items.forEach((item) => this.retry(item)) })
  }

  received(picture) {
    this.#thumbnails.receive(picture)
    this.#placeholders.learn(picture.item, picture.thumbHash)
    if (picture.tier === 'preview') return this.#grid.arrived(picture.item)
    this.#prefetchState.arrived(picture.item, this.#visible())
    this.#grid.arrived(picture.item)
    this.#failures.arrived()
    this.#report()
  }

  failed(failure) {
    this.#thumbnails.fail(failure)
    this.#prefetchState.done(failure.item)
    this.#grid.cell(failure.item)?.refresh()
    this.#failures.changed()
    this.#report()
  }

  /** The server is there, or not there any more. */
  connectionChanged() {
    this.#failures.changed()
  }

  /** Nothing moves any more: what is wrong is looked at from here. */
  rested() {
    this.#failures.changed()
  }

  /** Requests all failed pictures in sight again. */
  retryAll() {
    this.#failures.retry()
  }

  /** Asks again for a picture that has failed. */
  retry(item) {
    if (!this.#thumbnails.retry(item)) return
    this.#grid.cell(item)?.retry()
    this.#failures.changed()
    this.#ask(item)
  }
}
