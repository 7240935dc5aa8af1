// Ready-made scrolls: always the same movements, 60 samples a second, in the format of a trace. Flings slow down by a factor of 0.998 per
// millisecond as on iOS, wheel notches are eased as in browsers, and a free-spinning wheel slows down by 1/e in 325 ms.
// Distances are for rows of 100 px and are scaled to the rows of the pane, so every window scrolls past the same number of pictures.

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

  pause(milliseconds) {
    for (const end = this.time + milliseconds; this.time < end; ) this.#take('idle')
    return this
  }

  /** Flings at a speed in px per second. A finger stops the fling after `until` ms. */
  fling(speed, until = Infinity) {
    const duration = Math.min(until, Math.log(20 / Math.abs(speed)) / Math.log(RATE))
    return this.#follow(duration, (t) => ((speed / 1000) * (RATE ** t - 1)) / Math.log(RATE), 'momentum')
  }

  /** Turns a wheel by `count` notches of `step` px, `gap` ms apart. */
  wheel(step, count, gap) {
    const rate = (Math.log(0.78) * 60) / 1000
    const notches = Array.from({ length: count }, (_, index) => index * gap)
    const distance = (t) => notches.reduce((sum, start) => sum + (t > start ? step * (1 - Math.exp(rate * (t - start))) : 0), 0)
    return this.#follow((count - 1) * gap + 500, distance, 'wheel')
  }

  /** Flicks a free-spinning wheel with an initial speed in px per second. */
  spin(speed) {
    return this.#follow(SPIN * Math.log(speed / 40), (t) => ((speed * SPIN) / 1000) * (1 - Math.exp(-t / SPIN)), 'wheel')
  }

  /** Drags the scrollbar over a distance in px, accelerating and slowing down like a hand with a target. */
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
  story: (hand) => hand.wheel(100, 2, 90).pause(200).spin(3600).pause(400).spin(4500).pause(400).spin(3600),
  wheel: (hand) => {
    hand.spin(4500).pause(900).wheel(100, 4, 90).pause(800).spin(4100).pause(700).spin(5000).pause(1100)
    hand.wheel(100, 3, 110).pause(1300).spin(3600).pause(600).spin(4700).pause(1500).spin(4100).pause(800)
    hand.wheel(-100, 2, 120).pause(700).spin(5200).pause(1000)
  },
  fling: (hand) => {
    for (const speed of [4200, 6800, 3600, 8200, 5400]) hand.fling(speed).pause(700)
  },
  read: (hand) => {
    for (const [step, count, pause] of [[100, 4, 1100], [100, 6, 800], [120, 3, 1500], [-100, 2, 900], [100, 7, 1000], [120, 5, 900]]) hand.wheel(step, count, 110).pause(pause)
  },
  hunt: (hand) => {
    for (const [speed, until] of [[7500, 450], [8800, 500], [-5200, 600], [9200, 450], [-3400, 500], [6400, 700], [3000, 2000]]) hand.fling(speed, until).pause(380)
  },
  jump: (hand) => {
    for (const [distance, duration] of [[52000, 900], [30000, 800], [-41000, 900], [90000, 1000]]) hand.drag(distance, duration).pause(700).fling(2600).pause(600)
  },
}

export const SCROLLS = [
  ['wheel', 'Mouse wheel: flicks and notches'],
  ['read', 'Mouse wheel: a few notches at a time'],
  ['fling', 'Touch: one fling after another'],
  ['hunt', 'Touch: searching back and forth'],
  ['jump', 'Scrollbar: long jumps'],
]

/**
 * Returns the samples of a ready-made scroll, starting at the top: `[{t, y, phase}]`, in ms and px. Null if the name is unknown.
 * `row` is the height of a row with its spacing, px.
 */
export function readyMade(name, row = ROW) {
  if (!Object.hasOwn(movements, name)) return null
  const hand = new Hand().pause(400)
  movements[name](hand)
  return hand.pause(1500).samples.map(({ t, y, phase }) => ({ t, y: (y * row) / ROW, phase }))
}
