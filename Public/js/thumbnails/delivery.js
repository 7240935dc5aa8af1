// Delivers arriving pictures and failures to their cells, and retries failed pictures.

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
   * `ask(item)` requests a picture from the server again. `notify(trouble)` and `inquire()` as for `FailureWatch`. `report()` is called
   * after each change. `isConnected()`: whether the server can be reached.
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

  /** Call this when the server becomes reachable or unreachable. */
  connectionChanged() {
    this.#failures.changed()
  }

  /** Call this when the content has stopped moving. Visible failures are then checked. */
  stopped() {
    this.#failures.changed()
  }

  /** Requests all visible failed pictures again. */
  retryAll() {
    this.#failures.retry()
  }

  retry(item) {
    if (!this.#thumbnails.retry(item)) return
    this.#grid.cell(item)?.retry()
    this.#failures.changed()
    this.#ask(item)
  }
}
