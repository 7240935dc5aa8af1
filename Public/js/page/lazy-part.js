// A part of the page that the first screen can do without: loaded when it is first wanted, or once the rest is there.

export class LazyPart {
  now = null // the part, once it is there
  #load
  #loading

  /** `load()` resolves to the part; it is called once, and again where it failed. */
  constructor(load) {
    this.#load = load
  }

  get() {
    this.#loading ??= this.#load().then(
      (part) => (this.now = part),
      (error) => {
        this.#loading = null
        throw error
      },
    )
    return this.#loading
  }
}
