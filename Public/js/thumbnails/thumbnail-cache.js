// The thumbnails in the page's memory: the most recently received ones. The server assumes that the last 1,000 are there. Until a
// thumbnail arrives, the preview embedded in the picture's file may be shown. A preview does not count as loaded.

const CAPACITY = 1200

export class ThumbnailCache {
  held = new Map()
  #previews = new Map() // of items without a thumbnail, up to the same capacity
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
    if (isPreview && this.held.has(item)) return // the thumbnail is better than a preview
    const pictures = isPreview ? this.#previews : this.held
    this.held.delete(item)
    this.#previews.delete(item)
    this.#failures.delete(item)
    pictures.set(item, { src: `data:${mediaType};base64,${data}`, width, height, isPreview, id, version })
    if (pictures.size > this.#capacity) pictures.delete(pictures.keys().next().value)
  }

  /** Returns the thumbnail of an item, or else its preview. */
  get(item) {
    return this.held.get(item) ?? this.#previews.get(item)
  }

  /** Removes a preview that cannot be shown. */
  forgetPreview(item) {
    this.#previews.delete(item)
  }

  has(item) {
    return this.held.has(item)
  }

  /** Stores a failure. `video`: the item is a playable video without a picture. */
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

  count({ from, to }) {
    let count = 0
    for (let item = from; item < to; item++) if (this.held.has(item)) count += 1
    return count
  }

  /** Returns the items of the range with neither a thumbnail nor a failure. */
  lacking({ from, to }) {
    const items = []
    for (let item = from; item < to; item++) if (!this.held.has(item) && !this.#failures.has(item)) items.push(item)
    return items
  }

  /** Renumbers the thumbnails: `to(item)` returns the new number, or null to drop a thumbnail. */
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
