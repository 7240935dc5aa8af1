// Requests visible pictures again if they were lost, for example in a broken stream.

const WATCH = 2500 // ms without movement after which missing pictures are requested again. Doubles with each request, up to 16 times

export class MissingWatch {
  #lacking
  #ask
  #times = 0 // requests since the last movement
  #timer = 0

  /** `lacking()` returns the number of visible items without a picture. `ask()` requests them. */
  constructor({ lacking, ask }) {
    this.#lacking = lacking
    this.#ask = ask
  }

  /** Call this when the content has stopped moving or has changed. */
  watch() {
    this.#times = 0
    this.#wait()
  }

  /** Call this when the content moves. No pictures are requested then. */
  stop() {
    clearTimeout(this.#timer)
  }

  #wait() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (!this.#lacking()) return
      this.#ask()
      this.#times = Math.min(this.#times + 1, 4)
      this.#wait()
    }, WATCH * 2 ** this.#times)
  }
}
