// What the server is doing for this page, as its plans and events tell.

export class Work {
  constructor() {
    this.reset()
  }

  reset() {
    this.asked = new Set()
    this.cancelled = 0
    this.seq = -1
    this.plan = null
  }

  /** Takes a plan, which may come twice (as an answer and as an event) or late. */
  take(plan, pictures) {
    if (plan.seq < this.seq) return
    this.seq = plan.seq
    this.plan = plan
    for (const item of plan.prefetch) if (!pictures.has(item) && !pictures.failure(item)) this.asked.add(item)
    for (const item of plan.cancel) if (this.asked.delete(item)) this.cancelled += 1
  }

  done(item) {
    this.asked.delete(item)
  }

  /** Prefetches under way: asked for, neither come nor cancelled, and not in sight. */
  prefetching({ from, to }) {
    let count = 0
    for (const item of this.asked) if (item < from || item >= to) count += 1
    return count
  }
}
