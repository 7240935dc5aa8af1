// Writes the status line, which the dashboard brings along, and the announcements for screen readers.

import { nextFrame } from '../grid/next-frame.js'

const number = new Intl.NumberFormat('en')
const SPOKEN = 1500 // ms between two announcements
const WRITTEN = 100 // ms between two figures

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
  #due = null // the timer of the next writing
  #live = false
  #timer = 0 // of the next announcement

  /** `root` is the line, `region` what is heard, `state` what wears the state of the connection. */
  constructor(root, region, state) {
    this.#root = root
    this.#state = state
    this.#region = region
    for (const element of root.querySelectorAll('[data-field]')) this.#fields[element.dataset.field] = element
  }

  /** Shows what `facts()` then says, a little later, however often it is asked. */
  soon(facts) {
    if (this.#root.hidden || !this.#live) return
    this.#due ??= setTimeout(async () => {
      await nextFrame() // written before, it would have to be laid out before the page may read where it has been scrolled to
      this.#due = null
      this.show(facts())
    }, WRITTEN)
  }

  show({ visible, itemCount, prefetching, cancelled, ready, roundTrip }) {
    const shown = visible.to - visible.from
    this.#write('visible', shown ? `${number.format(visible.from + 1)}–${number.format(visible.to)}` : 'none')
    // Room for the longest it can be, so that nothing beside it moves.
    this.#fields.visible.style.minWidth = `${2 * number.format(itemCount).length + 1}ch`
    this.#write('prefetching', number.format(prefetching))
    this.#write('cancelled', number.format(cancelled))
    this.#write('ready', `${number.format(ready)}/${number.format(shown)}`)
    this.#write('trip', roundTrip ? `${roundTrip < 10 ? roundTrip.toFixed(1) : Math.round(roundTrip)} ms` : '–')
  }

  connection(state) {
    this.#write('connection', words[state] ?? state)
    this.#live = state === 'live'
    // Old figures are hidden while the server cannot be asked.
    if (!this.#live) for (const name of ['visible', 'ready', 'prefetching', 'cancelled', 'trip']) this.#write(name, '–')
    this.#state.dataset.connection = state
  }

  /** Says something politely; of what comes too fast only the last is said. */
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
