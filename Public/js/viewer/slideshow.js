// Goes on to the next picture by itself, a while after each has come.

const SLIDE = 4000 // ms a picture stays

export class Slideshow {
  #button
  #isBusy
  #next
  #isPlaying = false
  #timer = 0

  /** `isBusy()`: the picture has not come, or its film plays; `next()` goes on, and returns false at the end. */
  constructor(button, { isBusy, next }) {
    this.#button = button
    this.#isBusy = isBusy
    this.#next = next
  }

  toggle(isPlaying = !this.#isPlaying) {
    this.#isPlaying = isPlaying
    this.#button.setAttribute('aria-pressed', String(isPlaying))
    this.rest()
  }

  /** Stays a while at the picture that has come, or whose film has ended. */
  rest() {
    clearTimeout(this.#timer)
    if (!this.#isPlaying || this.#isBusy()) return
    this.#timer = setTimeout(() => this.#next() || this.toggle(false), SLIDE)
  }
}
