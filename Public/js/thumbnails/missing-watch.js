// A picture can be lost on the way (a stream that broke, a page that forgot): what stays blank is asked for again.

const WATCH = 2500 // ms at rest after which a picture that has not come is asked for again

export class MissingWatch {
  #lacking
  #ask
  #times = 0 // asked without a movement in between
  #timer = 0

  /** `lacking()` gives how many visible items have no picture; `ask()` asks for them. */
  constructor({ lacking, ask }) {
    this.#lacking = lacking
    this.#ask = ask
  }

  /** The view has come to rest, or has changed. */
  watch() {
    this.#times = 0
    this.#wait()
  }

  /** Nothing is asked for while it moves. */
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
