// Watches the visible pictures and reports trouble that affects all of them: they fail, their host cannot be reached, or their source
// is slow. Failed pictures are requested again after a while.

const SOON = 200 // ms between two checks
const INQUIRY = 500 // ms without a picture after which the server is asked whether their host is paused
const SLOW = 3000 // ms without a picture after which the source is slow
const FIRST_TRY = 4000 // ms after which failed pictures are requested again for the first time. Doubles with each retry
const LONGEST = 60_000 // maximum ms between retries

export class FailureWatch {
  /** @type {import('./thumbnail-cache.js').ThumbnailCache} */
  #thumbnails
  #visible
  #notify
  #isConnected
  #again
  #inquire
  #attempt = 0 // consecutive retries without a new picture
  #kind = null // kind of the current message: failing, slow, or null
  #retried = new Set() // items of the last retry
  #soon = null // timer of the next check
  #timer = 0 // timer of the next retry or inquiry
  #turn = 0 // incremented by checks and inquiries, so that a late response is ignored

  /**
   * - `visible()` returns the range of visible items, `again(items)` requests items again.
   * - `notify({kind, detail, canRetry} | null)` shows or removes a message.
   * - `isConnected()`: whether the server can be reached. Otherwise nothing is known about the pictures' source.
   * - `inquire()` resolves to the reason why the server waits, `{reason, retryAfter}`, or undefined.
   */
  constructor({ thumbnails, visible, notify, again, isConnected, inquire }) {
    this.#inquire = inquire
    this.#thumbnails = thumbnails
    this.#visible = visible
    this.#notify = notify
    this.#isConnected = isConnected
    this.#again = again
  }

  /** Call this when a picture arrives or fails, or when the content has moved. Many calls lead to one check. */
  changed() {
    this.#soon ??= setTimeout(() => {
      this.#soon = null
      this.#check()
    }, SOON)
  }

  #check() {
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

  /** Asks the server in `delay` ms, then repeatedly, why nothing arrives. `waited` is the time without a picture so far, ms. */
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

  /** Call this when a picture has arrived. The delay between retries starts again at its minimum. */
  arrived() {
    this.#attempt = 0
    this.changed()
  }

  #show(kind, detail, canRetry = false) {
    this.#kind = kind
    this.#notify(kind && { kind, detail, canRetry })
  }

  /** Shows why all visible pictures fail, and requests them again after a while. */
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

  /** Counts the visible items: loaded (`ready`), pending (`lacking`), pending again after a retry (`retried`), and failed, by reason. */
  #inSight() {
    const range = this.#visible()
    const reasons = new Map()
    for (let item = range.from; item < range.to; item++) {
      const failure = this.#thumbnails.failure(item)
      if (!failure || failure.video) continue // a playable video without a picture is no failure
      const known = reasons.get(failure.reason) ?? { count: 0, items: [] }
      known.count += 1
      if (failure.retryable) known.items.push(item)
      reasons.set(failure.reason, known)
    }
    const ready = this.#thumbnails.count(range)
    const open = this.#thumbnails.lacking(range)
    // If other pictures have loaded, items pending after a retry do not count as lacking.
    const retried = ready ? open.filter((item) => this.#retried.has(item)).length : 0
    return { ready, lacking: open.length - retried, retried, reasons }
  }

  /** Requests the visible failed pictures immediately. */
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

/** Formats a reason from the server as a sentence. */
export function sentence(/** @type {string} */ text) {
  const clean = text.trim()
  return clean[0].toUpperCase() + clean.slice(1) + (/[.!?]$/.test(clean) ? '' : '.')
}
