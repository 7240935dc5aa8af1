// The thumbnails the page holds: the last ones received, oldest out first. The server counts on the last 1,000. Where a
// thumbnail has not come, the preview in the picture's file may be here: it is shown, and counts as nothing more.

const CAPACITY = 1200

export class ThumbnailCache {
  held = new Map()
  #previews = new Map() // of items that are not held, as many at most
  #capacity
  #failures = new Map()

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity
  }

  get size() {
    return this.held.size
  }

  receive({ item, width, height, mediaType, tier, data, id, version }) {
    const isPreview = tier === 'preview'
    if (isPreview && this.held.has(item)) return // what is here is better
    const pictures = isPreview ? this.#previews : this.held
    this.held.delete(item)
    this.#previews.delete(item)
    this.#failures.delete(item)
    pictures.set(item, { src: `data:${mediaType};base64,${data}`, width, height, isPreview, id, version })
    if (pictures.size > this.#capacity) pictures.delete(pictures.keys().next().value)
  }

  /** The thumbnail of an item, or the preview of it that is shown meanwhile. */
  get(item) {
    return this.held.get(item) ?? this.#previews.get(item)
  }

  /** Lets go of a preview that cannot be shown. */
  forgetPreview(item) {
    this.#previews.delete(item)
  }

  has(item) {
    return this.held.has(item)
  }

  /** `video`: it is one that can be played, and has no picture. */
  fail({ item, reason, retryable, video = false }) {
    this.held.delete(item)
    this.#previews.delete(item)
    this.#failures.delete(item)
    this.#failures.set(item, { reason, retryable, video })
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
    this.#previews.clear()
    this.#failures.clear()
  }
}
