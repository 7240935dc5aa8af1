// Hints at where the person may go next: sent to the server before it happens, so that the pictures there are on
// their way. Nothing here moves the page.

const PAUSE = 70 // ms a pointer stays on the scrubber or the scrollbar before it is taken to mean it
const GAZE = 200 // ms it stays on a cell
const GAP = 120 // ms between two hints
const FRESH = 1000 // ms for which the same need not be told again
const SOON = 250 // ms ahead that the way of a pointer is foreseen
const BRISK = 0.3 // px a ms from which on a pointer heads for somewhere
const LEAST_THUMB = 20 // px
const BAR_BUTTON = 20 // px that a scrollbar may have for a button at either end

const keys = { PageDown: 1, PageUp: -1, ' ': 1, ArrowDown: 1, ArrowUp: -1 }
const clamp = (x, low, high) => Math.min(Math.max(x, low), high)

export class Hints {
  #rest = 0 // the timer until the pointer is taken to mean where it is
  /** @type {import('./scroller.js').Scroller} */
  #scroller
  /** @type {import('../scrubber/scrubber.js').Scrubber} */
  #scrubber
  #notify
  #toldAt = -Infinity // ms
  #track = [] // where the pointer was of late
  #next = null // to be told
  #timer = null
  #told = '' // the last, as JSON

  /** `notify(hint)` is told of each, a few a second at most; `surface` hears the pointer and the keys, which leaves `root`. */
  constructor({ scroller, scrubber, surface, root, notify }) {
    this.#scroller = scroller
    this.#scrubber = scrubber
    this.#notify = notify
    surface.addEventListener('pointermove', (event) => this.#moved(event), { passive: true })
    surface.addEventListener('pointerdown', (event) => this.#pressed(event), { passive: true })
    surface.addEventListener('keydown', (event) => this.#key(event))
    root.addEventListener('pointerleave', () => clearTimeout(this.#rest))
  }

  /** The viewer shows an item of so many; the person goes on this `way`, 1 or -1. */
  viewing(item, way, itemCount) {
    const next = item + way
    if (next >= 0 && next < itemCount) this.#soon({ kind: 'viewer', item: next, confidence: 0.5 })
  }

  #moved(event) {
    clearTimeout(this.#rest)
    if (event.pointerType === 'touch' || event.buttons) return void (this.#track = [])
    const { clientX: x, clientY: y, timeStamp: t } = event
    this.#track = [...this.#track.filter((point) => t - point.t < 100), { x, y, t }]
    const under = this.#under(event)
    if (under) this.#rest = setTimeout(() => this.#soon(under), under.kind === 'cell' ? GAZE : PAUSE)
    if (under?.kind !== 'scrubber') this.#head(x, y)
  }

  /** The hint of the element below the pointer; null where it gives none. */
  #under({ target, clientY, offsetX, offsetY }) {
    if (this.#scrubber.rail.contains(target)) return { kind: 'scrubber', scrollTop: this.#scrubber.topAt(clientY), confidence: 0.6 }
    if (target === this.#scroller.element && offsetX >= target.clientWidth) return this.#onBar(offsetY, 0.3)
    const cell = target.closest?.('.cell')
    return cell ? { kind: 'cell', item: Number(cell.dataset.item), confidence: 0.25 } : null
  }

  /** Where a press on the scrollbar would lead; null on its thumb, which may be drawn anywhere. */
  #onBar(y, confidence) {
    const { height, top, limit, contentHeight } = this.#scroller
    const thumb = Math.max(LEAST_THUMB, (height * height) / contentHeight)
    const room = Math.max(1, height - thumb)
    if (Math.abs(y - thumb / 2 - (limit ? top / limit : 0) * room) < thumb / 2 + BAR_BUTTON) return null
    return { kind: 'thumb', scrollTop: clamp((y - thumb / 2) / room, 0, 1) * limit, confidence }
  }

  /** A pointer that hurries towards the scrubber will be there at a height that its way foretells. */
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
    this.#soon({ kind: 'scrubber', scrollTop: this.#scrubber.topAt(there), confidence: 0.3 })
  }

  #pressed(event) {
    clearTimeout(this.#rest)
    const { element } = this.#scroller
    if (event.target !== element || event.offsetX < element.clientWidth) return
    const hint = this.#onBar(event.offsetY, 0.6)
    if (hint) this.#soon(hint)
  }

  /** A key that is held goes on; one that was pressed once may be pressed again. */
  #key(event) {
    const way = keys[event.key]
    if (!way || event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.('input, select, textarea, dialog, [role="slider"]')) return
    if (!event.repeat && event.key.startsWith('Arrow')) return
    const { top, height, limit } = this.#scroller
    const scrollTop = clamp(top + way * (event.key === ' ' && event.shiftKey ? -1 : 1) * height, 0, limit)
    this.#soon({ kind: 'key', scrollTop, confidence: event.repeat ? 0.6 : 0.3 })
  }

  /** Tells the latest, not more often than every GAP. */
  #soon(hint) {
    this.#next = hint
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      const now = performance.now()
      const told = JSON.stringify(this.#next)
      if (told === this.#told && now - this.#toldAt < FRESH) return
      this.#told = told
      this.#toldAt = now
      this.#notify(this.#next)
    }, Math.max(0, this.#toldAt + GAP - performance.now()))
  }
}
