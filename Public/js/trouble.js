// What is wrong with the pictures in sight, when it is more than one: all of them failing, or a source that is slow.

const SOON = 200 // ms between two looks
const SLOW = 3000 // ms at rest without a new picture, while some are wanted: the source is slow
const FIRST_TRY = 4000 // ms after which pictures that all failed are asked for again
const LONGEST = 60_000

export class Trouble {
  /** `visible()` gives the items in sight; `tell({kind, detail} | null)`; `again(items)` asks once more. */
  constructor({ pictures, visible, tell, again }) {
    Object.assign(this, { pictures, visible, tell, again })
    this.attempt = 0
    this.kind = null
    this.retrying = false // those that failed have been asked for again
  }

  /** Something has come, failed, or moved: looks soon, however much does, and again later when nothing else happens. */
  changed() {
    this.soon ??= setTimeout(() => {
      this.soon = null
      this.#look()
    }, SOON)
  }

  #look() {
    clearTimeout(this.timer)
    const failure = this.#allFailed()
    if (failure) {
      this.#show('failing', failure.detail)
      if (failure.items.length) this.timer = setTimeout(() => this.#retry(), Math.min(LONGEST, FIRST_TRY * 2 ** this.attempt))
      return
    }
    if (!this.pictures.lacking(this.visible()).length) {
      this.attempt = 0
      return this.#show(null)
    }
    // What was said stays until something comes of it.
    if (this.kind === 'failing' && !this.retrying) this.#show(null)
    this.timer = setTimeout(() => this.#show('slow'), SLOW)
  }

  /** A picture has come: nothing fails altogether any more. */
  arrived() {
    this.retrying = false
    this.changed()
  }

  #show(kind, detail) {
    this.kind = kind
    this.tell(kind && { kind, detail })
  }

  /** The items in sight that may be tried again, and why they failed; null unless every one of them has. */
  #allFailed() {
    const { from, to } = this.visible()
    if (to <= from) return null
    const reasons = new Map()
    const items = []
    for (let item = from; item < to; item++) {
      const failure = this.pictures.failure(item)
      if (!failure) return null
      reasons.set(failure.reason, (reasons.get(failure.reason) ?? 0) + 1)
      if (failure.retryable) items.push(item)
    }
    const [reason] = [...reasons].sort((a, b) => b[1] - a[1])[0]
    return { items, detail: items.length ? `${sentence(reason)} Trying again by itself.` : sentence(reason) }
  }

  #retry() {
    const { items } = this.#allFailed() ?? { items: [] }
    this.attempt += 1
    this.retrying = true
    this.again(items)
  }
}

function sentence(text) {
  const clean = text.trim()
  return clean[0].toUpperCase() + clean.slice(1) + (/[.!?]$/.test(clean) ? '' : '.')
}
