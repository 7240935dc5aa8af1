// The keys that scroll a page scroll the gallery, wherever the focus is. A field, a dialog, a slider and the grid keep
// their own keys; a button keeps the space bar.

const LINE = 40 // px, as browsers move for an arrow
const PAGE = 0.875 // of what is in sight below the title, so that the eye finds its row again
const GLIDE = 300 // ms in which the next press adds to where the last one leads

export class PagingKeys {
  /** `roof()` is the height of the title that stays at the top; `still()` whether movement is unwanted; `pressed()` is told of each key. */
  constructor(scroller, { roof, still, pressed }) {
    Object.assign(this, { scroller, roof, still, pressed })
    this.target = 0
    this.pressedAt = -Infinity
    addEventListener('keydown', (event) => this.#pressed(event))
  }

  #pressed(event) {
    if (event.defaultPrevented || event.altKey || event.metaKey || event.ctrlKey && !/^(Home|End)$/.test(event.key)) return
    const focus = event.target instanceof Element ? event.target : document.body
    if (focus.closest('input, select, textarea, dialog, [role="slider"], [contenteditable]')) return
    if (event.key === ' ' && focus.closest('button, a, summary')) return
    const way = this.#way(event)
    if (way === undefined) return
    event.preventDefault()
    this.pressed(event.timeStamp)
    if (Math.abs(way) === Infinity) this.scroller.jump(way > 0 ? this.scroller.limit : 0)
    else this.#glide(way, event.timeStamp)
  }

  /** How far a key leads, in px; undefined for a key that does not scroll. */
  #way({ key, shiftKey }) {
    const page = (this.scroller.height - this.roof()) * PAGE
    switch (key) {
      case 'ArrowDown': return LINE
      case 'ArrowUp': return -LINE
      case 'PageDown': return page
      case 'PageUp': return -page
      case ' ': return shiftKey ? -page : page
      case 'Home': return -Infinity
      case 'End': return Infinity
      default: return undefined
    }
  }

  /** Presses that follow one another add up: a browser's smooth scrolling would start each from where the content just is. */
  #glide(way, now) {
    const { element } = this.scroller
    if (now - this.pressedAt > GLIDE || (this.target - element.scrollTop) * way < 0) this.target = element.scrollTop
    this.pressedAt = now
    this.target = Math.min(Math.max(0, this.target + way), element.scrollHeight - element.clientHeight)
    element.scrollTo({ top: this.target, behavior: this.still() ? 'instant' : 'smooth' })
  }
}
