// A short message that disappears on its own. It reports a finished action, or the reason why the action failed.

const SHOWN = 5000 // ms

export class Toast {
  #element
  #say
  #timer = 0

  /** `say(text)` announces the message to screen readers. */
  constructor(element, say) {
    this.#element = element
    this.#say = say
  }

  show(text) {
    this.#say(text)
    this.#element.textContent = text
    this.#element.hidden = false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.#element.hidden = true), SHOWN)
  }
}
