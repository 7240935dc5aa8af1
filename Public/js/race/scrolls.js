// Ready-made scrolls: the same movements each time, 60 samples a second, told as in a trace. The ways of moving are those
// that `lookahead replay` is scored on: flings fall by 0.998 a millisecond as on iOS, wheels are eased as browsers do.

const FRAME = 1000 / 60
const RATE = 0.998

class Hand {
  samples = []
  #top = 0

  get time() {
    return this.samples.length * FRAME
  }

  rest(milliseconds) {
    for (const end = this.time + milliseconds; this.time < end; ) this.#take('idle')
    return this
  }

  /** Lets go at so many px a second; `until` a finger catches it, ms. */
  fling(speed, until = Infinity) {
    const duration = Math.min(until, Math.log(20 / Math.abs(speed)) / Math.log(RATE))
    return this.#follow(duration, (t) => ((speed / 1000) * (RATE ** t - 1)) / Math.log(RATE), 'momentum')
  }

  /** Turns a wheel by notches of `step` px, `gap` ms apart. */
  wheel(step, count, gap) {
    const rate = (Math.log(0.78) * 60) / 1000
    const notches = Array.from({ length: count }, (_, index) => index * gap)
    const distance = (t) => notches.reduce((sum, start) => sum + (t > start ? step * (1 - Math.exp(rate * (t - start))) : 0), 0)
    return this.#follow((count - 1) * gap + 500, distance, 'wheel')
  }

  /** Takes the scrollbar so far, as a hand moves to a place it has in mind. */
  drag(distance, duration) {
    return this.#follow(duration, (t) => distance * (t / duration) ** 2 * (3 - (2 * t) / duration), 'drag')
  }

  #follow(duration, distance, phase) {
    const [start, from] = [this.time, this.#top]
    for (let passed = FRAME; passed <= duration; passed = this.time - start + FRAME) {
      this.#top = Math.max(0, from + distance(passed))
      this.#take(phase)
    }
    return this
  }

  #take(phase) {
    this.samples.push({ t: this.time, y: this.#top, phase })
  }
}

const movements = {
  fling: (hand) => {
    for (const speed of [4200, 6800, 3600, 8200, 5400]) hand.fling(speed).rest(700)
  },
  read: (hand) => {
    for (const [step, count, rest] of [[100, 4, 1100], [100, 6, 800], [120, 3, 1500], [-100, 2, 900], [100, 7, 1000], [120, 5, 900]]) hand.wheel(step, count, 110).rest(rest)
  },
  hunt: (hand) => {
    for (const [speed, until] of [[7500, 450], [8800, 500], [-5200, 600], [9200, 450], [-3400, 500], [6400, 700], [3000, 2000]]) hand.fling(speed, until).rest(380)
  },
  jump: (hand) => {
    for (const [distance, duration] of [[52000, 900], [30000, 800], [-41000, 900], [90000, 1000]]) hand.drag(distance, duration).rest(700).fling(2600).rest(600)
  },
}

/** What the menu offers beside one's own scrolling. */
export const SCROLLS = [
  ['fling', 'Flings, one after another'],
  ['read', 'A wheel, a few notches at a time'],
  ['hunt', 'Looking for something, to and fro'],
  ['jump', 'Jumps by the scrollbar'],
]

/** The samples of a ready-made scroll: `[{t, y, phase}]`, from the top, ms and px; null where there is none of that name. */
export function readyMade(name) {
  if (!Object.hasOwn(movements, name)) return null
  const hand = new Hand().rest(400)
  movements[name](hand)
  return hand.rest(1500).samples
}
