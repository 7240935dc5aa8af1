// The cause of a scroll: finger, its momentum, wheel, scrollbar, keyboard, or a jump.

const FRESH = 400 // ms for which an input explains the scrolling that follows it

export class ScrollPhases {
  #kind = 'idle'
  #at = -Infinity
  #hasMoved = false // anything, since the input
  /** A finger is on the content. */
  touching = false
  #barHeld

  constructor(element, barHeld) {
    this.#barHeld = barHeld
    const on = (type, note) => element.addEventListener(type, note, { passive: true })
    on('wheel', (event) => this.note('wheel', event.timeStamp))
    on('touchstart', (event) => ((this.touching = true), this.note('touch', event.timeStamp)))
    on('touchmove', (event) => this.note('touch', event.timeStamp))
    for (const type of ['touchend', 'touchcancel']) {
      on(type, (event) => {
        this.touching = event.touches.length > 0
        this.note('momentum', event.timeStamp)
      })
    }
    on('keydown', (event) => this.note('keyboard', event.timeStamp))
  }

  note(kind, at = performance.now()) {
    this.#kind = kind
    this.#at = at
    this.#hasMoved = false
  }

  /** The phase of a movement seen now. */
  of({ jump }, now = performance.now()) {
    this.#hasMoved = true
    if (this.#barHeld()) return 'drag'
    if (this.touching) return 'touch'
    if (jump) return this.#kind === 'keyboard' && now - this.#at < FRESH ? 'keyboard' : 'jump'
    if (this.#kind === 'momentum') {
      this.#at = now // momentum lasts as long as it keeps moving
      return 'momentum'
    }
    if (now - this.#at < FRESH) return this.#kind
    return 'wheel'
  }

  /** Nothing has moved for a while: what moves next has another cause, or an input that has moved nothing yet. */
  rest() {
    if (this.touching || !this.#hasMoved) return
    this.#kind = 'idle'
    this.#at = -Infinity
  }
}
