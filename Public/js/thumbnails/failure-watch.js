// Watches for failed pictures in sight. Those that failed are asked for again by and by; it is worth a word when it
// is all of them: they fail, or their source is slow.

const SOON = 200 // ms between two looks
const SLOW = 3000 // ms without a new picture, while some are wanted: the source is slow, or fails
const FIRST_TRY = 4000 // ms after which pictures that all failed are asked for again
const LONGEST = 60_000

export class FailureWatch {
  /** @type {import('./thumbnail-cache.js').ThumbnailCache} */
  #thumbnails
  #visible
  #tell
  #isConnected
  #again
  #attempt = 0 // retries in a row that brought nothing
  #kind = null // what was said last: failing, slow
  #retried = new Set() // items of the last retry
  #soon = null // the timer of the next look
  #timer = 0 // of the next retry

  /**
   * `visible()` gives the items in sight; `tell({kind, detail} | null)`; `again(items)` asks once more; `isConnected()`: else
   * nothing can be said of the pictures' source.
   */
  constructor({ thumbnails, visible, tell, again, isConnected }) {
    this.#thumbnails = thumbnails
    this.#visible = visible
    this.#tell = tell
    this.#isConnected = isConnected
    this.#again = again
  }

  /** Something has come, failed, or moved: looks soon, however much does, and again later when nothing else happens. */
  changed() {
    this.#soon ??= setTimeout(() => {
      this.#soon = null
      this.#look()
    }, SOON)
  }

  #look() {
    clearTimeout(this.#timer)
    if (!this.#isConnected()) return this.#kind === 'slow' ? this.#show(null) : undefined
    const { ready, lacking, retried, reasons } = this.#inSight()
    if (!lacking && (ready || !reasons.size)) {
      if (reasons.size) this.#later()
      else if (!retried) this.#attempt = 0
      return this.#show(null)
    }
    // The message stays until a retry ends.
    if (this.#kind === 'failing' && ready) this.#show(null)
    if (!lacking) this.#failing(reasons)
    else this.#timer = setTimeout(() => this.#isConnected() && (reasons.size && !ready ? this.#failing(reasons) : this.#show('slow')), SLOW)
  }

  /** A picture has come: nothing fails altogether any more. */
  arrived() {
    this.#attempt = 0
    this.changed()
  }

  #show(kind, detail) {
    this.#kind = kind
    this.#tell(kind && { kind, detail })
  }

  /** None has come, and some have failed: says why, and asks for them again by and by. */
  #failing(reasons) {
    const [[reason, { items }]] = [...reasons].sort(([, a], [, b]) => b.count - a.count)
    this.#show('failing', items.length ? `${sentence(reason)} Retrying automatically.` : sentence(reason))
    this.#later()
  }

  #later() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#retry(), Math.min(LONGEST, FIRST_TRY * 2 ** this.#attempt))
  }

  /** How many pictures in sight are there, how many are not decided, for the first time or again, and why the others failed. */
  #inSight() {
    const range = this.#visible()
    const reasons = new Map()
    for (let item = range.from; item < range.to; item++) {
      const failure = this.#thumbnails.failure(item)
      if (!failure || failure.video) continue // that is as it should be
      const known = reasons.get(failure.reason) ?? { count: 0, items: [] }
      known.count += 1
      if (failure.retryable) known.items.push(item)
      reasons.set(failure.reason, known)
    }
    const ready = this.#thumbnails.count(range)
    const open = this.#thumbnails.lacking(range)
    // A few that are asked for once more among others that are there are no matter.
    const retried = ready ? open.filter((item) => this.#retried.has(item)).length : 0
    return { ready, lacking: open.length - retried, retried, reasons }
  }

  #retry() {
    this.#attempt += 1
    this.#retried = new Set([...this.#inSight().reasons.values()].flatMap(({ items }) => items))
    this.#again([...this.#retried])
    this.changed()
  }
}

/** A reason of the server as a sentence. */
export function sentence(/** @type {string} */ text) {
  const clean = text.trim()
  return clean[0].toUpperCase() + clean.slice(1) + (/[.!?]$/.test(clean) ? '' : '.')
}
