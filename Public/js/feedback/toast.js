// A word on the page that goes by itself: what has just been done, or why it could not be.

const SHOWN = 5000 // ms

export class Toast {
  #element
  #say
  #timer = 0

  /** `say(text)` speaks it to those who hear the page. */
  constructor(element, say) {
    this.#element = element
    this.#say = say
  }

  tell(text) {
    this.#say(text)
    this.#element.textContent = text
    this.#element.hidden = false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.#element.hidden = true), SHOWN)
  }
}
