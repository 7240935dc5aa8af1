// The room that an embedded element has, which differs from the room of the page around it.

const WIDE = 900 // px

/** Resolves once an element has a width and a height. A hidden element has none. */
export function isShown(/** @type {HTMLElement} */ element) {
  return new Promise((resolve) => {
    new ResizeObserver((_, observer) => {
      if (!element.clientWidth || !element.clientHeight) return
      observer.disconnect()
      resolve(undefined)
    }).observe(element)
  })
}

/** Reports whether there is room for titles beside the pictures, with the interface of a `MediaQueryList`. */
export class RoomBeside extends EventTarget {
  matches
  #observer

  constructor(/** @type {HTMLElement} */ element, /** @type {AbortSignal} */ signal) {
    super()
    this.matches = element.clientWidth >= WIDE
    this.#observer = new ResizeObserver(() => {
      const matches = element.clientWidth >= WIDE
      if (matches === this.matches) return
      this.matches = matches
      this.dispatchEvent(new Event('change'))
    })
    this.#observer.observe(element)
    signal.addEventListener('abort', () => this.#observer.disconnect())
  }
}
