// Scroll samples on their way to the server: thirty a second at most, the latest wins, `seq` rises.

const CALM = 40 // ms of round trip up to which one post in flight is best
const SPACING = 33 // ms between posts: what the model decides by, and half of what a post a frame would cost
const LIMIT = 3

export class ViewportSender {
  /** ms, smoothed */
  roundTrip = 0
  /** Nothing is posted. */
  held = false
  #send
  #answered
  #seq = 0
  #flying = 0 // posts without an answer
  #sentAt = -Infinity // ms
  #latest = null // the position to be posted
  #missing = new Set() // items to be named in the next post
  #hinted = null // the hint to go with it
  #frame = null
  #timer = null

  /** `send(sample)` resolves to the server's plan, or to null when it did not take it; `answered(plan, ms)` hears of each. */
  constructor(send, answered) {
    this.#send = send
    this.#answered = answered
  }

  /** Offers the newest position; `missing` adds up until a post carries it. */
  offer(sample, missing = []) {
    this.#latest = sample
    for (const item of missing) this.#missing.add(item)
    this.#schedule()
  }

  /** Tells with the next position where the person may go next; `sample` says where the page is when nothing moves it. */
  hint(hint, sample) {
    this.#hinted = hint
    this.#latest ??= sample
    this.#schedule()
  }

  /** While held nothing is posted: the layout is being changed, and positions would mean something else. */
  hold(held) {
    this.held = held
    this.#hinted = null // its position means something else, too
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
      this.#answered(plan, took)
    }
    this.#pump()
  }
}
