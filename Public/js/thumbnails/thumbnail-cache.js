// The thumbnails the page holds: the last ones received, oldest out first. The server counts on the last 1,000.

const CAPACITY = 1200
const HASHES = 2000 // pictures whose colours are remembered, longer than they are held

export class ThumbnailCache {
  held = new Map()
  #capacity
  #failures = new Map()
  #hashes = new Map()

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity
  }

  get size() {
    return this.held.size
  }

  receive({ item, width, height, mediaType, data, thumbHash }) {
    if (thumbHash) {
      this.#hashes.delete(item)
      this.#hashes.set(item, thumbHash)
      if (this.#hashes.size > HASHES) this.#hashes.delete(this.#hashes.keys().next().value)
    }
    this.held.delete(item)
    this.#failures.delete(item)
    this.held.set(item, { src: `data:${mediaType};base64,${data}`, width, height })
    if (this.held.size > this.#capacity) this.held.delete(this.held.keys().next().value)
  }

  get(item) {
    return this.held.get(item)
  }

  /** The ThumbHash of a picture that was here, if it is remembered. */
  hash(item) {
    return this.#hashes.get(item)
  }

  has(item) {
    return this.held.has(item)
  }

  fail({ item, reason, retryable }) {
    this.held.delete(item)
    this.#failures.delete(item)
    this.#failures.set(item, { reason, retryable })
    if (this.#failures.size > this.#capacity) this.#failures.delete(this.#failures.keys().next().value)
  }

  failure(item) {
    return this.#failures.get(item)
  }

  retry(item) {
    return this.#failures.delete(item)
  }

  /** How many of the range are held. */
  count({ from, to }) {
    let count = 0
    for (let item = from; item < to; item++) if (this.held.has(item)) count += 1
    return count
  }

  /** Items of the range that have neither their picture nor a failure to show. */
  lacking({ from, to }) {
    const items = []
    for (let item = from; item < to; item++) if (!this.held.has(item) && !this.#failures.has(item)) items.push(item)
    return items
  }

  /** Gives each picture the number that `to(item)` says; null drops it. */
  move(to) {
    const held = [...this.held]
    this.clear()
    for (const [item, picture] of held) {
      const next = to(item)
      if (next !== null) this.held.set(next, picture)
    }
  }

  clear() {
    this.held.clear()
    this.#failures.clear()
    this.#hashes.clear()
  }
}
