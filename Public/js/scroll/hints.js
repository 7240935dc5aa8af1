// Hints at where the person may go next. They are sent to the server before the person acts, so that pictures load early.
// Hints never scroll the page.

const PAUSE = 70 // ms a pointer must stay on the scrubber or the scrollbar before a hint is sent
const GAZE = 200 // ms a pointer must stay on a cell before a hint is sent
const GAP = 120 // minimum ms between two hints
const FRESH = 1000 // ms for which an equal hint is not repeated
const SOON = 250 // ms for which a pointer's movement is extrapolated
const BRISK = 0.3 // minimum px per ms of a pointer heading for the scrubber
const MINIMUM_THUMB = 20 // minimum px of a scrollbar's thumb
const BAR_BUTTON = 20 // px for a possible button at either end of the scrollbar

const keys = { PageDown: 1, PageUp: -1, ' ': 1, ArrowDown: 1, ArrowUp: -1 }
const clamp = (x, low, high) => Math.min(Math.max(x, low), high)

export class Hints {
  #dwellTimer = 0 // timer while the pointer stays in place
  /** @type {import('./scroller.js').Scroller} */
  #scroller
  /** @type {import('../scrubber/scrubber.js').Scrubber} */
  #scrubber
  #send
  #sentAt = -Infinity // ms
  #track = [] // recent positions of the pointer
  #next = null // the hint to be sent
  #timer = null
  #sent = '' // the last hint, as JSON

  /** `send(hint)` is called for each hint, a few times a second at most. `surface` receives the events. The pointer can leave `root`. */
  constructor({ scroller, scrubber, surface, root, send }) {
    this.#scroller = scroller
    this.#scrubber = scrubber
    this.#send = send
    surface.addEventListener('pointermove', (event) => this.#moved(event), { passive: true })
    surface.addEventListener('pointerdown', (event) => this.#pressed(event), { passive: true })
    surface.addEventListener('keydown', (event) => this.#key(event))
    root.addEventListener('pointerleave', () => clearTimeout(this.#dwellTimer))
  }

  /** Hints at the next picture in the viewer. `direction` is the direction in which the person browses, 1 or -1. */
  viewing(item, direction, itemCount) {
    const next = item + direction
    if (next >= 0 && next < itemCount) this.#sendSoon({ kind: 'viewer', item: next, confidence: 0.5 })
  }

  #moved(event) {
    clearTimeout(this.#dwellTimer)
    if (event.pointerType === 'touch' || event.buttons) return void (this.#track = [])
    const { clientX: x, clientY: y, timeStamp: t } = event
    this.#track = [...this.#track.filter((point) => t - point.t < 100), { x, y, t }]
    const under = this.#under(event)
    if (under) this.#dwellTimer = setTimeout(() => this.#sendSoon(under), under.kind === 'cell' ? GAZE : PAUSE)
    if (under?.kind !== 'scrubber') this.#head(x, y)
  }

  /** Returns the hint for the element under the pointer, or null. */
  #under({ target, clientY, offsetX, offsetY }) {
    if (this.#scrubber.rail.contains(target)) return { kind: 'scrubber', scrollTop: this.#scrubber.topAt(clientY), confidence: 0.6 }
    if (target === this.#scroller.element && offsetX >= target.clientWidth) return this.#onBar(offsetY, 0.3)
    const cell = target.closest?.('.cell')
    return cell ? { kind: 'cell', item: Number(cell.dataset.item), confidence: 0.25 } : null
  }

  /** Returns the hint for a press on the scrollbar. Null near the thumb, because its exact position is unknown. */
  #onBar(y, confidence) {
    const { height, top, limit, contentHeight } = this.#scroller
    const thumb = Math.max(MINIMUM_THUMB, (height * height) / contentHeight)
    const room = Math.max(1, height - thumb)
    if (Math.abs(y - thumb / 2 - (limit ? top / limit : 0) * room) < thumb / 2 + BAR_BUTTON) return null
    return { kind: 'thumb', scrollTop: clamp((y - thumb / 2) / room, 0, 1) * limit, confidence }
  }

  /** Hints at the place that a pointer moving fast towards the scrubber will reach. */
  #head(x, y) {
    const { rail } = this.#scrubber
    const first = this.#track[0]
    const last = this.#track.at(-1)
    if (rail.hidden || !this.#scrubber.titled || last.t - first.t < 16) return
    const box = rail.getBoundingClientRect()
    const pace = (last.x - first.x) / (last.t - first.t)
    const time = (box.left - x) / pace
    if (pace < BRISK || time < 0 || time > SOON) return
    const there = y + (time * (last.y - first.y)) / (last.t - first.t)
    if (there < box.top || there > box.bottom) return
    this.#sendSoon({ kind: 'scrubber', scrollTop: this.#scrubber.topAt(there), confidence: 0.3 })
  }

  #pressed(event) {
    clearTimeout(this.#dwellTimer)
    const { element } = this.#scroller
    if (event.target !== element || event.offsetX < element.clientWidth) return
    const hint = this.#onBar(event.offsetY, 0.6)
    if (hint) this.#sendSoon(hint)
  }

  /** Hints at the next page. Holding a key down is more certain to continue than a single press. */
  #key(event) {
    const sign = keys[event.key]
    if (!sign || event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.('input, select, textarea, dialog, [role="slider"]')) return
    if (!event.repeat && event.key.startsWith('Arrow')) return
    const { top, height, limit } = this.#scroller
    const scrollTop = clamp(top + sign * (event.key === ' ' && event.shiftKey ? -1 : 1) * height, 0, limit)
    this.#sendSoon({ kind: 'key', scrollTop, confidence: event.repeat ? 0.6 : 0.3 })
  }

  /** Sends the latest hint, but not more often than every `GAP` ms. */
  #sendSoon(hint) {
    this.#next = hint
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      const now = performance.now()
      const text = JSON.stringify(this.#next)
      if (text === this.#sent && now - this.#sentAt < FRESH) return
      this.#sent = text
      this.#sentAt = now
      this.#send(this.#next)
    }, Math.max(0, this.#sentAt + GAP - performance.now()))
  }
}
