// The layout the page is in: computed here, told to the server, changed without losing the place.

import { titleOver } from '../grid/section-headers.js'
import { GridLayout } from './grid-layout.js'
import { hasTitles, layoutOptions, measured, USUAL } from './layout-options.js'
import { normalized } from './sections.js'

/**
 * @typedef {import('./grid-layout.js').GridLayout | import('./fetched-layout.js').FetchedLayout} Layout
 * @typedef {{item: number, fraction: number, at: number}} Anchor The part of an item's height that is `at` px below the
 * top of the viewport.
 */

export class PageLayout {
  /** @type {import('../scroll/scroller.js').Scroller} */
  #scroller
  density = USUAL
  kind = 'grid'
  /** @type {Layout | null} The layout on the page; null before the first. */
  layout = null
  /** The content moves. */
  moving = false
  /** Of the viewport, px. */
  width = 0
  height = 0
  sections = []
  /** The `layout` of the API. */
  options = null
  #element
  #root
  #observer = new ResizeObserver(() => this.#resized())
  #applied
  #notify
  #came
  #gallery = null
  #drawn // a layout that is on the page already
  #outdated = false // the server has a newer one
  #titled = false // sections have a line with their title
  #wanted // the anchor that the last change of the layout kept
  #wantedTop = 0 // px, where that put the content

  /**
   * `applied(layout, top)` puts a new layout on the page; `notify(changes)` sends it to the server; `came()` hears of
   * frames that have come since. `root` wears how wide the scrollbar is. `drawn`: the layout of a grid that is on the page
   * already, if there is one.
   */
  constructor(element, scroller, { root, applied, notify, came }, drawn) {
    this.#element = element
    this.#root = root
    this.#scroller = scroller
    this.#applied = applied
    this.#notify = notify
    this.#came = came
    this.#drawn = drawn
    this.#observer.observe(element)
  }

  /** Shows nothing any more. */
  end() {
    this.#observer.disconnect()
    this.layout = this.#gallery = null
  }

  /** Takes a gallery and lays it out for the room there is, at a `place` (an anchor; null: at the beginning). */
  begin(gallery, place) {
    this.#gallery = gallery
    this.sections = normalized(gallery.sections, gallery.itemCount)
    this.#titled = hasTitles(this.sections)
    this.#measure()
    this.#build()
    const clear = this.options.headerHeight // the title of the section stands over the first row
    this.#put(place && { fraction: 0, at: clear, ...place })
  }

  get viewport() {
    return { ...measured(this.#element), width: this.width, height: this.height }
  }

  /** Changes kind or density; what `anchor` names stays where it is. */
  change(changes, anchor = this.anchor()) {
    this.kind = changes.kind ?? this.kind
    this.density = changes.density ?? this.density
    if (!this.#gallery) return
    this.#build()
    this.#put(anchor)
    this.#notify({ viewport: this.viewport, layout: this.options })
  }

  /** Pictures have come in shapes that the layout did not know: it is asked for anew once nothing moves. */
  outdate() {
    this.#outdated = true
    if (!this.moving) this.rested()
  }

  rested() {
    this.moving = false
    if (!this.#outdated || this.#scroller.barHeld) return
    this.#outdated = false
    if (this.#gallery && this.options.kind !== 'grid') this.change({})
  }

  /** The items in sight. */
  visible() {
    const { top, height } = this.#scroller
    return this.layout ? this.layout.items(top, top + height) : { from: 0, to: 0 }
  }

  /** The items that a person sees something of: what lies under the title that stays at the top is left out. */
  inSight() {
    const { layout } = this
    const { top, height } = this.#scroller
    if (!layout) return { from: 0, to: 0 }
    return layout.items(top + titleOver(layout, top), top + height)
  }

  /** Scrolls just far enough to show an item whole, clear of the title that stays at the top; waits for its frame first. */
  reveal(item) {
    const { layout } = this
    const frame = layout?.frame(item)
    if (!frame) {
      // Only a layout of the server's may lack a frame.
      if (layout && 'fetchFrame' in layout) layout.fetchFrame(item).then((came) => came && layout === this.layout && this.reveal(item))
      return
    }
    const scroller = this.#scroller
    const roof = Math.min(this.layout.headerHeight, scroller.height / 3)
    if (frame.y - roof < scroller.top) scroller.jump(frame.y - roof)
    else if (frame.y + frame.height > scroller.top + scroller.height) scroller.jump(frame.y + frame.height - scroller.height + 8)
  }

  /** Scrolls an item to the top, below the title that stays there; waits for its frame first. Resolves when it is there. */
  async scrollTo(item, { isSmooth = false } = {}) {
    const { layout } = this
    if (layout && !layout.frame(item) && 'fetchFrame' in layout) await layout.fetchFrame(item)
    const frame = layout === this.layout ? layout?.frame(item) : null
    if (!frame) return
    const top = frame.y - layout.headerHeight
    if (isSmooth) await this.#scroller.glide(top)
    else this.#scroller.jump(top)
  }

  /**
   * The first item in sight below the title that stays at the top: `{item, fraction, at}`, the part of its height that is
   * `at` px below the top of the viewport; null at the very top. The same one until the content is scrolled, so that
   * layouts and sizes changed back lead back to the pixel.
   */
  anchor() {
    if (this.#isUnmoved) return this.#wanted
    const { top } = this.#scroller
    if (!this.layout || top <= 0) return null
    const clear = top + Math.min(this.layout.headerHeight, this.height / 3)
    let { from, to } = this.layout.items(clear, top + this.height)
    if (to <= from) ({ from, to } = this.layout.items(top, top + this.height))
    const frame = to > from ? this.layout.frame(from) : null
    return frame && anchorIn(frame, from, Math.max(clear, frame.y) - top, top)
  }

  /** An item and the place in it that is `at` px below the top of the viewport. */
  anchorAt(item, at) {
    if (this.#isUnmoved && this.#wanted && Math.abs(this.#wanted.at - at) < 1) return this.#wanted
    const frame = this.layout?.frame(item)
    return frame ? anchorIn(frame, item, at, this.#scroller.top) : this.anchor()
  }

  /** Once the server knows the layout, fetches what only it can compute, and puts that on the page. */
  async settle(path) {
    if (this.options?.kind === 'grid' || !path) return
    const { options } = this
    const { FetchedLayout } = await import('./fetched-layout.js')
    const layout = new FetchedLayout(options, this.width, this.sections, this.#gallery.itemCount, path, () => this.layout === layout && this.#came())
    let anchor = this.anchor()
    try {
      await layout.load(anchor?.item)
      // A person who has scrolled on meanwhile stays there.
      anchor = this.anchor()
      if (anchor && !layout.frame(anchor.item)) await layout.load(anchor.item)
    } catch {
      return // the connection says why; the next session settles again
    }
    if (this.options !== options) return
    this.#apply(layout, anchor)
  }

  /** Whether the content still stands where a change of the layout put it, or is about to. */
  get #isUnmoved() {
    return this.#wanted !== undefined && this.#scroller.top === this.#wantedTop
  }

  /** Puts a layout on the page, and what `anchor` names where it says. */
  #apply(layout, anchor) {
    this.layout = layout
    this.#applied(layout, this.#topFor(anchor))
    this.#want(anchor)
  }

  #want(anchor) {
    this.#wanted = anchor ?? null
    this.#wantedTop = this.#scroller.top
  }

  #topFor(anchor) {
    const frame = anchor && this.layout.frame(anchor.item)
    return frame ? frame.y + anchor.fraction * frame.height - anchor.at : 0
  }

  #put(anchor) {
    this.#want(anchor)
    if (this.options.kind !== 'grid') return // `settle` will
    this.#apply(this.#makeGridLayout(), anchor)
  }

  #makeGridLayout() {
    const [drawn, { itemCount }] = [this.#drawn, this.#gallery]
    this.#drawn = null
    const isSame = drawn?.width === this.width && drawn.itemCount === itemCount && JSON.stringify(drawn.options) === JSON.stringify(this.options)
    return isSame ? drawn : new GridLayout(this.options, this.width, this.sections, itemCount)
  }

  #measure() {
    this.width = this.#element.clientWidth
    this.height = this.#element.clientHeight
    const bar = this.#element.offsetWidth - this.width
    this.#root.style.setProperty('--bar', `${bar}px`)
    this.#root.toggleAttribute('data-bar', bar > 0)
  }

  #build() {
    this.options = layoutOptions({ kind: this.kind, density: this.density, width: this.width, titled: this.#titled })
  }

  #resized() {
    const anchor = this.anchor()
    const { width, height } = this
    this.#measure()
    if (!this.#gallery || !this.width || !this.height || (width === this.width && height === this.height)) return
    if (width !== this.width) this.change({}, anchor)
    else if (this.layout) {
      this.#applied(null, this.#scroller.top)
      this.#notify({ viewport: this.viewport })
    }
  }
}

function anchorIn(frame, item, at, top) {
  return { item, at, fraction: (top + at - frame.y) / frame.height }
}
