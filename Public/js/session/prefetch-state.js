// The server's work for this page, according to its plans and events.

const REMEMBERED = 500 // maximum number of recently cancelled items, which the dashboard shows
const MAXIMUM_UNSEEN = 5000

export class PrefetchState {
  asked
  cancelled
  ahead
  moved
  dropped
  loading
  queued
  skipped
  plan
  #arrivals
  #unseen
  #seq

  constructor() {
    this.reset()
  }

  reset() {
    this.asked = new Set()
    this.cancelled = 0 // since the first movement: earlier cancellations are not caused by the person
    this.ahead = 0 // pictures that arrived before their cell was visible
    this.#arrivals = 0
    this.#unseen = new Set() // pictures that arrived ahead and have not been visible so far
    this.moved = false
    this.dropped = new Map() // times of cancellation of the last cancelled items
    this.loading = new Map() // received share of each picture, 0 … 1; known only while the dashboard is open
    this.queued = new Set()
    this.skipped = new Set()
    this.#seq = -1
    this.plan = null
  }

  /** Applies a plan. Ignores older plans; the same plan may arrive as a response and as an event. */
  take(plan, thumbnails) {
    if (plan.seq < this.#seq) return
    this.#seq = plan.seq
    this.plan = plan
    for (const item of plan.prefetch) if (!thumbnails.has(item) && !thumbnails.failure(item)) {
      this.asked.add(item)
      this.dropped.delete(item)
    }
    const now = performance.now()
    for (const item of plan.cancel) {
      if (!this.asked.delete(item) && this.dropped.has(item)) continue
      if (this.moved) this.cancelled += 1
      this.dropped.delete(item)
      this.dropped.set(item, now)
      if (this.dropped.size > REMEMBERED) this.dropped.delete(this.dropped.keys().next().value)
    }
  }

  /** Applies a progress event. */
  report({ loading, queued, skipped }) {
    this.loading = new Map(loading.map(({ item, share }) => [item, share]))
    this.queued = new Set(queued)
    this.skipped = new Set(skipped)
  }

  done(item) {
    this.asked.delete(item)
  }

  /** Call this when a picture has arrived; `from` and `to` are the visible items. */
  arrived(item, { from, to }) {
    this.asked.delete(item)
    this.#arrivals += 1
    if (item >= from && item < to) return
    this.ahead += 1
    this.#unseen.add(item)
    if (this.#unseen.size > MAXIMUM_UNSEEN) this.#unseen.delete(this.#unseen.keys().next().value)
  }

  /** Call this when the person has scrolled; `from` and `to` are the visible items. */
  saw({ from, to }) {
    this.moved = true
    if (this.#unseen.size) for (let item = from; item < to; item++) this.#unseen.delete(item)
  }

  /** Share of the received pictures that have not been visible so far, 0 … 1; NaN if none has arrived. */
  get unseenShare() {
    return this.#arrivals ? this.#unseen.size / this.#arrivals : NaN
  }

  /** Returns the number of prefetches in flight: requested items that are not visible. */
  prefetching({ from, to }) {
    let count = 0
    for (const item of this.asked) if (item < from || item >= to) count += 1
    return count
  }
}
