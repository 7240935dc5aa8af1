// Goes on to the next picture by itself, a while after each has come.

const SLIDE = 4000 // ms a picture stays

export class Slideshow {
  #button
  #isLoading
  #next
  #isPlaying = false
  #timer = 0

  /** `isLoading()`: the picture has not come; `next()` goes on, and returns false at the end. */
  constructor(button, { isLoading, next }) {
    this.#button = button
    this.#isLoading = isLoading
    this.#next = next
  }

  toggle(isPlaying = !this.#isPlaying) {
    this.#isPlaying = isPlaying
    this.#button.setAttribute('aria-pressed', String(isPlaying))
    this.rest()
  }

  /** Stays a while at the picture that has come. */
  rest() {
    clearTimeout(this.#timer)
    if (!this.#isPlaying || this.#isLoading()) return
    this.#timer = setTimeout(() => this.#next() || this.toggle(false), SLIDE)
  }
}
