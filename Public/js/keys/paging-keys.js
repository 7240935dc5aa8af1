// The keys that scroll a page scroll the gallery, wherever the focus is. A field, a dialog, a slider and the grid keep
// their own keys; a button keeps the space bar. The browser does the scrolling: nobody else knows how far and how fast a
// press moves on this machine, nor how presses that follow one another add up.

const SCROLLING = /^(ArrowDown|ArrowUp|PageDown|PageUp|Home|End| )$/

export class PagingKeys {
  /** @type {import('../scroll/scroller.js').Scroller} */
  #scroller
  #pressed

  /** `pressed()` is told of each key. */
  constructor(scroller, { pressed }) {
    this.#scroller = scroller
    this.#pressed = pressed
    scroller.element.tabIndex = -1
    addEventListener('keydown', (event) => this.#keyDown(event))
  }

  #keyDown(event) {
    const { key, altKey, ctrlKey, metaKey, shiftKey, timeStamp } = event
    const isEnd = /^(Home|End)$/.test(key)
    if (event.defaultPrevented || !SCROLLING.test(key) || altKey || metaKey || (ctrlKey && !isEnd) || (shiftKey && key !== ' ')) return
    const focus = event.target instanceof Element ? event.target : document.body
    if (focus.closest('input, select, textarea, dialog, [role="slider"], [contenteditable]')) return
    if (key === ' ' && focus.closest('button, a, summary')) return
    this.#pressed(timeStamp)
    if (isEnd) {
      event.preventDefault()
      this.#scroller.jump(key === 'End' ? this.#scroller.limit : 0)
    } else this.#lend(focus)
  }

  /** A browser scrolls what has the focus: the gallery has it while the key is down, and keeps it where nothing had it. */
  #lend(focus) {
    const { element } = this.#scroller
    if (element.contains(focus)) return
    element.focus({ preventScroll: true })
    if (focus === document.body) return
    addEventListener('keyup', () => document.activeElement === element && focus.focus({ preventScroll: true }), { once: true })
  }
}
