// Writes the status line, which is part of the dashboard, and the announcements for screen readers.

import { nextFrame } from '../grid/next-frame.js'

const number = new Intl.NumberFormat('en')
const SPOKEN = 1500 // ms between two announcements
const WRITTEN = 100 // ms between two updates of the figures

const words = {
  connecting: 'connecting…', live: 'live', reconnecting: 'reconnecting…', full: 'server full, retrying…',
  gone: 'gallery gone', token: 'token needed', refused: 'refused', closed: 'closed',
}

export class StatusLine {
  #root
  #state
  #region
  #fields = {} // by name
  #spokenAt = -Infinity // ms
  #due = null // timer of the next update
  #live = false
  #timer = 0 // timer of the next announcement

  /** `root` is the status line, `region` the live region for screen readers. `state` gets the attribute `data-connection`. */
  constructor(root, region, state) {
    this.#root = root
    this.#state = state
    this.#region = region
    for (const element of root.querySelectorAll('[data-field]')) this.#fields[element.dataset.field] = element
  }

  /** Shows the result of `facts()` after a short wait. Calls during the wait cause no further update. */
  soon(facts) {
    if (this.#root.hidden || !this.#live) return
    this.#due ??= setTimeout(async () => {
      await nextFrame() // writing earlier would force a layout when the page reads its scroll position
      this.#due = null
      this.show(facts())
    }, WRITTEN)
  }

  show({ visible, itemCount, prefetching, cancelled, ready, roundTrip }) {
    const shown = visible.to - visible.from
    this.#write('visible', shown ? `${number.format(visible.from + 1)}–${number.format(visible.to)}` : 'none')
    // Reserve room for the longest text, so that the fields beside it do not move.
    this.#fields.visible.style.minWidth = `${2 * number.format(itemCount).length + 1}ch`
    this.#write('prefetching', number.format(prefetching))
    this.#write('cancelled', number.format(cancelled))
    this.#write('ready', `${number.format(ready)}/${number.format(shown)}`)
    this.#write('trip', roundTrip ? `${roundTrip < 10 ? roundTrip.toFixed(1) : Math.round(roundTrip)} ms` : '–')
  }

  connection(state) {
    this.#write('connection', words[state] ?? state)
    this.#live = state === 'live'
    // Hide outdated figures while there is no connection.
    if (!this.#live) for (const name of ['visible', 'ready', 'prefetching', 'cancelled', 'trip']) this.#write(name, '–')
    this.#state.dataset.connection = state
  }

  /** Announces a text to screen readers. If several follow quickly, only the last is announced. */
  say(text) {
    clearTimeout(this.#timer)
    const wait = Math.max(0, this.#spokenAt + SPOKEN - performance.now())
    this.#timer = setTimeout(() => {
      if (this.#region.textContent === text) return
      this.#spokenAt = performance.now()
      this.#region.textContent = text
    }, wait)
  }

  #write(name, text) {
    const field = this.#fields[name]
    if (field && field.textContent !== text) field.textContent = text
  }
}
