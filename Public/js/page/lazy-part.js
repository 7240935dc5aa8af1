// A part of the page that the first screen can do without: loaded when it is first wanted, or once the rest is there.

/** @template T */
export class LazyPart {
  /** @type {T | null} The part, once it is there. */
  now = null
  #load
  /** @type {Promise<T> | null} */
  #loading = null

  /** @param {() => Promise<T>} load Called once, and again where it failed. */
  constructor(load) {
    this.#load = load
  }

  /** Resolves to the part. */
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
