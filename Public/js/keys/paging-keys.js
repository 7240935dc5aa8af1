// Lets the keys that scroll a page scroll the gallery, independent of the focus. Fields, dialogs, sliders and the grid keep their own
// keys. Buttons keep the space bar. The browser does the scrolling, since distance, speed and repetition depend on the system.

const SCROLLING = /^(ArrowDown|ArrowUp|PageDown|PageUp|Home|End| )$/

export class PagingKeys {
  /** @type {import('../scroll/scroller.js').Scroller} */
  #scroller
  #pressed

  /** `pressed(timeStamp)` is called for each scrolling key. */
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

  /**
   * Gives the focus to the gallery, since browsers scroll the focused element. On keyup the focus returns to its former element. If none
   * had the focus, it stays on the gallery.
   */
  #lend(focus) {
    const { element } = this.#scroller
    if (element.contains(focus)) return
    element.focus({ preventScroll: true })
    if (focus === document.body) return
    addEventListener('keyup', () => document.activeElement === element && focus.focus({ preventScroll: true }), { once: true })
  }
}
