// Watches for trouble with the pictures in sight, and says so if it concerns all of them: they fail, their host cannot be reached, or
// their source is slow. Failed pictures are requested again after a while.

const SOON = 200 // ms between two looks
const INQUIRY = 500 // ms without a picture after which the server is asked whether their host is paused
const SLOW = 3000 // ms without a picture after which the source is slow
const FIRST_TRY = 4000 // ms after which pictures that all failed are asked for again
const LONGEST = 60_000

export class FailureWatch {
  /** @type {import('./thumbnail-cache.js').ThumbnailCache} */
  #thumbnails
  #visible
  #notify
  #isConnected
  #again
  #inquire
  #attempt = 0 // retries in a row that brought nothing
  #kind = null // what was said last: failing, slow
  #retried = new Set() // items of the last retry
  #soon = null // the timer of the next look
  #timer = 0 // of the next retry or inquiry
  #turn = 0 // counts looks and inquiries, so that a late response is ignored

  /**
   * `visible()` gives the items in sight; `notify({kind, detail, canRetry} | null)`; `again(items)` asks once more; `isConnected()`: else
   * nothing can be said of the pictures' source. `inquire()` resolves to why the server waits, `{reason, retryAfter}`, or to
   * undefined.
   */
  constructor({ thumbnails, visible, notify, again, isConnected, inquire }) {
    this.#inquire = inquire
    this.#thumbnails = thumbnails
    this.#visible = visible
    this.#notify = notify
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
    this.#turn += 1
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
    else this.#await(INQUIRY)
  }

  /** Asks the server why nothing arrives, in `delay` ms and then from time to time. Nothing has arrived for `waited` ms. */
  #await(delay, waited = 0) {
    const turn = ++this.#turn
    this.#timer = setTimeout(async () => {
      const paused = this.#isConnected() && (await this.#inquire())
      if (turn !== this.#turn || !this.#isConnected()) return
      const { ready, reasons } = this.#inSight()
      const isSlow = waited + delay >= SLOW
      if (reasons.size && !ready && (paused || isSlow)) return this.#failing(reasons, paused?.reason)
      if (paused && !ready) this.#show('failing', retrying(paused.reason), true)
      else if (isSlow) this.#show('slow')
      this.#await(isSlow ? SLOW : SLOW - INQUIRY, waited + delay)
    }, delay)
  }

  /** A picture has come: nothing fails altogether any more. */
  arrived() {
    this.#attempt = 0
    this.changed()
  }

  #show(kind, detail, canRetry = false) {
    this.#kind = kind
    this.#notify(kind && { kind, detail, canRetry })
  }

  /** None has arrived and some have failed: says why, and requests them again after a while. */
  #failing(reasons, pause) {
    const [[reason, { items }]] = [...reasons].sort(([, a], [, b]) => b.count - a.count)
    const canRetry = items.length > 0 || pause !== undefined
    this.#show('failing', canRetry ? retrying(pause ?? reason) : sentence(reason), canRetry)
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

  /** Requests the failed pictures again now. */
  retry() {
    clearTimeout(this.#timer)
    this.#retry()
  }

  #retry() {
    this.#attempt += 1
    this.#retried = new Set([...this.#inSight().reasons.values()].flatMap(({ items }) => items))
    this.#again([...this.#retried])
    this.changed()
  }
}

const retrying = (reason) => `${sentence(reason)} Retrying automatically.`

/** A reason of the server as a sentence. */
export function sentence(/** @type {string} */ text) {
  const clean = text.trim()
  return clean[0].toUpperCase() + clean.slice(1) + (/[.!?]$/.test(clean) ? '' : '.')
}
