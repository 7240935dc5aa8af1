// The layout the page is in: computed here, told to the server, changed without losing the place.

import { GridLayout } from './layout/grid.js'
import { layoutOptions, USUAL } from './metrics.js'
import { normalized } from './layout/sections.js'

export class Shape {
  /** `applied(layout, top)` puts a new layout on the page; `tell(changes)` sends it to the server. */
  constructor(element, scroller, { applied, tell }) {
    Object.assign(this, { element, scroller, applied, tell })
    this.density = USUAL
    this.kind = 'grid'
    this.layout = null
    this.gallery = null
    this.width = 0
    this.height = 0
    new ResizeObserver(() => this.#resized()).observe(element)
  }

  /** Takes a gallery and lays it out for the room there is. */
  begin(gallery) {
    this.gallery = gallery
    this.sections = normalized(gallery.sections, gallery.itemCount)
    this.titled = this.sections.length > 1 || Boolean(this.sections[0].title)
    this.#measure()
    this.#build()
    this.applied(this.layout, this.scroller.top)
  }

  get viewport() {
    return { width: this.width, height: this.height, pixelRatio: Math.min(4, devicePixelRatio || 1) }
  }

  /** Changes kind or density; `anchor` is `{item, y}`: the item that must stay, y px below the top of the viewport. */
  change(changes, anchor = this.anchor()) {
    Object.assign(this, changes)
    if (!this.gallery) return
    this.#build()
    this.applied(this.layout, this.#topFor(anchor))
    this.tell({ viewport: this.viewport, layout: this.options })
  }

  /** The first visible item and where it stands; null at the very top, which stays the top. */
  anchor() {
    const { top } = this.scroller
    if (!this.layout || top <= 0) return null
    const { from, to } = this.layout.items(top, top + this.height)
    const item = Math.min(from, this.gallery.itemCount - 1)
    const frame = to > from ? this.layout.frame(item) : null
    return frame && { item, y: frame.y - top, height: frame.height }
  }

  #topFor(anchor) {
    const frame = anchor && this.layout.frame(anchor.item)
    if (!frame) return 0
    // Cut by the edge, the same share of it stays cut.
    const y = anchor.y < 0 && anchor.height ? (anchor.y / anchor.height) * frame.height : anchor.y
    return frame.y - y
  }

  #measure() {
    this.width = this.element.clientWidth
    this.height = this.element.clientHeight
  }

  #build() {
    this.options = layoutOptions({ kind: this.kind, density: this.density, width: this.width, titled: this.titled })
    this.layout = new GridLayout(this.options, this.width, this.sections, this.gallery.itemCount)
  }

  #resized() {
    const anchor = this.anchor()
    const { width, height } = this
    this.#measure()
    if (!this.gallery || !this.width || !this.height || (width === this.width && height === this.height)) return
    if (width !== this.width) this.change({}, anchor)
    else {
      this.applied(null, this.scroller.top)
      this.tell({ viewport: this.viewport })
    }
  }
}
