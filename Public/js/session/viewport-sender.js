// Sends scroll positions to the server: at most thirty a second, always the latest, with an increasing `seq`.

const CALM = 40 // round trip in ms up to which only one post is in flight at a time
const SPACING = 33 // minimum time between posts, in ms: enough for the server's model, at half the cost of a post each frame
const LIMIT = 3 // maximum number of posts in flight on a slower line

export class ViewportSender {
  /** Smoothed round-trip time, ms. */
  roundTrip = 0
  held = false
  #send
  #received
  #seq = 0
  #flying = 0 // posts in flight
  #sentAt = -Infinity // ms
  #latest = null // position for the next post
  #missing = new Set() // missing items for the next post
  #hinted = null // hint for the next post
  #frame = null
  #timer = null

  /** `send(sample)` resolves to the server's plan, or to null if it failed. `received(plan, ms)` is called with each plan. */
  constructor(send, received) {
    this.#send = send
    this.#received = received
  }

  /** Schedules a post of the latest position. `missing` items accumulate until a post contains them. */
  offer(sample, missing = []) {
    this.#latest = sample
    for (const item of missing) this.#missing.add(item)
    this.#schedule()
  }

  /** Sends a hint where the person may go next, with the next position. `sample` is the current position if nothing moves. */
  hint(hint, sample) {
    this.#hinted = hint
    this.#latest ??= sample
    this.#schedule()
  }

  /** Pauses or resumes posting. Paused while the layout changes, because positions would refer to another layout. */
  hold(held) {
    this.held = held
    this.#hinted = null // its position refers to the other layout, too
    if (!held && this.#latest) this.#schedule()
  }

  #schedule() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null
      this.#pump()
    })
  }

  #pump() {
    if (!this.#latest || this.held) return
    if (this.#flying >= (this.roundTrip > CALM ? LIMIT : 1)) return
    const wait = this.#sentAt + SPACING - performance.now()
    if (wait > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = null
        this.#pump()
      }, wait)
      return
    }
    this.#post()
  }

  async #post() {
    const sample = { seq: ++this.#seq, ...this.#latest }
    const missing = [...this.#missing]
    if (missing.length) sample.missing = missing
    if (this.#hinted) sample.hint = this.#hinted
    this.#hinted = null
    this.#latest = null
    this.#missing.clear()
    this.#flying += 1
    const began = (this.#sentAt = performance.now())
    const plan = await this.#send(sample)
    this.#flying -= 1
    if (plan) {
      const took = performance.now() - began
      this.roundTrip = this.roundTrip ? this.roundTrip * 0.8 + took * 0.2 : took
      this.#received(plan, took)
    }
    this.#pump()
  }
}
