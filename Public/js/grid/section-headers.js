// The titles of sections: in place while they are in sight, and the current one kept at the top.

const LOOSE = 12 // px above a title that scroll away before it sticks

const number = new Intl.NumberFormat('en')

/** How many px of the pictures the title covers that stays at the top of the viewport. */
export function titleOver(layout, top) {
  if (!layout.headerHeight) return 0
  const section = layout.sectionAt(top)
  if (top <= layout.header(section).y + LOOSE) return 0
  const next = section + 1 < layout.sections.length ? layout.header(section + 1).y - top : Infinity
  return Math.max(0, Math.min(layout.headerHeight - LOOSE, next))
}

export class SectionHeaders {
  stuck
  /** @type {import('../scroll/scroller.js').Scroller} */
  scroller
  /** @type {import('../layout/page-layout.js').Layout | null} */
  layout = null
  #layer
  #live = new Map() // the elements of titles in sight, by section
  #current = -1 // the section whose title is kept at the top

  constructor(layer, stuck, scroller) {
    this.#layer = layer
    this.stuck = stuck
    this.scroller = scroller
  }

  setLayout(layout) {
    this.layout = layout
    // A page, as the keys go, is what the title leaves.
    this.scroller.element.style.scrollPaddingTop = `${layout.headerHeight}px`
    for (const element of this.#live.values()) element.remove()
    this.#live.clear()
    this.#current = -1
  }

  render() {
    const { layout, scroller } = this
    if (!layout) return
    const { top, height } = scroller
    const wanted = layout.headers(Math.max(0, top - height / 2), top + 1.5 * height)
    const keep = new Set(wanted.map((header) => header.section))
    for (const [section, element] of this.#live) {
      if (keep.has(section)) continue
      element.remove()
      this.#live.delete(section)
    }
    for (const header of wanted) {
      if (this.#live.has(header.section)) continue
      const element = document.createElement('h2')
      element.className = 'header'
      write(element, header)
      element.style.height = `${header.height}px`
      this.#live.set(header.section, element)
      this.#layer.append(element)
      this.#move(element, header)
    }
    this.#stick()
  }

  replace() {
    for (const [section, element] of this.#live) this.#move(element, this.layout.header(section))
  }

  #move(element, header) {
    element.style.transform = `translateY(${header.y - this.scroller.origin}px)`
  }

  #stick() {
    const { layout, scroller, stuck } = this
    if (!layout.headerHeight) return void (stuck.hidden = true)
    const section = layout.sectionAt(scroller.top)
    const header = layout.header(section)
    stuck.hidden = scroller.top <= header.y + LOOSE
    if (stuck.hidden) return
    if (section !== this.#current) {
      this.#current = section
      write(stuck, header)
    }
    const next = section + 1 < layout.sections.length ? layout.header(section + 1).y - scroller.top : Infinity
    stuck.style.transform = `translateY(${Math.min(-LOOSE, next - header.height)}px)`
  }
}

function write(element, { title, count }) {
  const name = document.createElement('span')
  name.textContent = title || 'Untitled'
  const small = document.createElement('small')
  small.textContent = number.format(count)
  element.replaceChildren(name, small)
}
