// Ready-made scrolls: the same movements each time, 60 samples a second, told as in a trace. Flings fall by 0.998 a
// millisecond as on iOS, notches are eased as browsers do, and a free-spinning wheel slows down by 1/e in 325 ms.
// Lengths are written for rows of 100 px and stretched to the rows of the pane: every window scrolls past as many pictures.

const FRAME = 1000 / 60
const RATE = 0.998
const SPIN = 325 // ms
const ROW = 100 // px

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

  /** Flicks a free-spinning wheel that starts at so many px a second. */
  spin(speed) {
    return this.#follow(SPIN * Math.log(speed / 40), (t) => ((speed * SPIN) / 1000) * (1 - Math.exp(-t / SPIN)), 'wheel')
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
  story: (hand) => hand.wheel(100, 2, 90).rest(200).spin(3600).rest(400).spin(4500).rest(400).spin(3600),
  wheel: (hand) => {
    hand.spin(4500).rest(900).wheel(100, 4, 90).rest(800).spin(4100).rest(700).spin(5000).rest(1100)
    hand.wheel(100, 3, 110).rest(1300).spin(3600).rest(600).spin(4700).rest(1500).spin(4100).rest(800)
    hand.wheel(-100, 2, 120).rest(700).spin(5200).rest(1000)
  },
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

/** The menu's choices beside one's own scrolling. */
export const SCROLLS = [
  ['wheel', 'Mouse wheel: flicks and notches'],
  ['read', 'Mouse wheel: a few notches at a time'],
  ['fling', 'Touch: one fling after another'],
  ['hunt', 'Touch: searching back and forth'],
  ['jump', 'Scrollbar: long jumps'],
]

/**
 * The samples of a ready-made scroll: `[{t, y, phase}]`, from the top, ms and px; null where there is none of that name.
 * `row` is the height of a row with the space below it, px.
 */
export function readyMade(name, row = ROW) {
  if (!Object.hasOwn(movements, name)) return null
  const hand = new Hand().rest(400)
  movements[name](hand)
  return hand.rest(1500).samples.map(({ t, y, phase }) => ({ t, y: (y * row) / ROW, phase }))
}
