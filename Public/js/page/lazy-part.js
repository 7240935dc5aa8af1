// A part of the page that the first screen does not need. Loaded on first use, or after the other parts of the page.

/** @template T */
export class LazyPart {
  /** @type {T | null} The part; null until loaded. */
  now = null
  #load
  /** @type {Promise<T> | null} */
  #loading = null

  /** @param {() => Promise<T>} load Loads the part. Called again after a failure. */
  constructor(load) {
    this.#load = load
  }

  /** Loads the part if necessary, and resolves to it. */
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
