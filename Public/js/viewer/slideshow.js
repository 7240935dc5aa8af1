// Shows the next picture automatically, a few seconds after the current one has loaded.

const SLIDE = 4000 // ms per picture

export class Slideshow {
  #button
  #isBusy
  #next
  #isPlaying = false
  #timer = 0

  /** `isBusy()`: whether the picture is loading or its film is playing. `next()` shows the next picture and returns false at the end. */
  constructor(button, { isBusy, next }) {
    this.#button = button
    this.#isBusy = isBusy
    this.#next = next
  }

  toggle(isPlaying = !this.#isPlaying) {
    this.#isPlaying = isPlaying
    this.#button.setAttribute('aria-pressed', String(isPlaying))
    this.restart()
  }

  /** Restarts the wait. Call this when the picture has loaded, or when its film starts or stops. */
  restart() {
    clearTimeout(this.#timer)
    if (!this.#isPlaying || this.#isBusy()) return
    this.#timer = setTimeout(() => this.#next() || this.toggle(false), SLIDE)
  }
}
