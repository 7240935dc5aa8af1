// Determines the cause of a scroll: finger, momentum, wheel, scrollbar, keyboard, or a jump.

const FRESH = 400 // ms for which an input explains the scrolling after it

export class ScrollPhases {
  #kind = 'idle'
  #at = -Infinity
  #hasMoved = false // whether the content has moved since the last input
  /** Whether a finger is on the content. */
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

  /** Returns the phase of a movement that happens now. */
  of({ jump }, now = performance.now()) {
    this.#hasMoved = true
    if (this.#barHeld()) return 'drag'
    if (this.touching) return 'touch'
    if (jump) return this.#kind === 'keyboard' && now - this.#at < FRESH ? 'keyboard' : 'jump'
    if (this.#kind === 'momentum') {
      this.#at = now // momentum lasts as long as the content keeps moving
      return 'momentum'
    }
    if (now - this.#at < FRESH) return this.#kind
    return 'wheel'
  }

  /** Forgets the last input if it has caused a movement. Call this when the content has stopped moving. */
  stopped() {
    if (this.touching || !this.#hasMoved) return
    this.#kind = 'idle'
    this.#at = -Infinity
  }
}
