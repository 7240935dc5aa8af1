// The server's work for this page, from its plans and events.

const REMEMBERED = 500 // cancelled items kept, to be shown as such
const MOST_UNSEEN = 5000

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
  #came
  #unseen
  #seq

  constructor() {
    this.reset()
  }

  reset() {
    this.asked = new Set()
    this.cancelled = 0 // since the first movement: before it nothing is let go because of the person
    this.ahead = 0 // pictures that came before their cell was in sight
    this.#came = 0
    this.#unseen = new Set() // those that came ahead and were never in sight so far
    this.moved = false
    this.dropped = new Map() // when the last cancelled items were let go
    this.loading = new Map() // how much of each picture has come, 0 … 1, as far as the dashboard is told
    this.queued = new Set()
    this.skipped = new Set()
    this.#seq = -1
    this.plan = null
  }

  /** Takes a plan, which may come twice (as an answer and as an event) or late. */
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

  /** Takes a report of how far each picture is. */
  report({ loading, queued, skipped }) {
    this.loading = new Map(loading.map(({ item, share }) => [item, share]))
    this.queued = new Set(queued)
    this.skipped = new Set(skipped)
  }

  done(item) {
    this.asked.delete(item)
  }

  /** A picture has come; `visible` are the items in sight. */
  arrived(item, { from, to }) {
    this.asked.delete(item)
    this.#came += 1
    if (item >= from && item < to) return
    this.ahead += 1
    this.#unseen.add(item)
    if (this.#unseen.size > MOST_UNSEEN) this.#unseen.delete(this.#unseen.keys().next().value)
  }

  /** The person scrolls, and sees these items. */
  saw({ from, to }) {
    this.moved = true
    if (this.#unseen.size) for (let item = from; item < to; item++) this.#unseen.delete(item)
  }

  /** Of the pictures that came those that were never in sight so far, 0 … 1; NaN before any came. */
  get unseenShare() {
    return this.#came ? this.#unseen.size / this.#came : NaN
  }

  /** Prefetches under way: asked for, neither come nor cancelled, and not in sight. */
  prefetching({ from, to }) {
    let count = 0
    for (const item of this.asked) if (item < from || item >= to) count += 1
    return count
  }
}
