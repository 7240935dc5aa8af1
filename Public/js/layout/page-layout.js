// The current layout of the page: computes it, sends it to the server, and keeps the place when it changes.

import { titleOver } from '../grid/section-headers.js'
import { GridLayout } from './grid-layout.js'
import { hasTitles, layoutOptions, measured, USUAL } from './layout-options.js'
import { normalized } from './sections.js'

/**
 * @typedef {import('./grid-layout.js').GridLayout | import('./fetched-layout.js').FetchedLayout} Layout
 * @typedef {{item: number, fraction: number, at: number}} Anchor A point in an item that stays in place: `fraction` of the item's height,
 * `at` px below the top of the viewport.
 */

export class PageLayout {
  /** @type {import('../scroll/scroller.js').Scroller} */
  #scroller
  density = USUAL
  kind = 'grid'
  /** @type {Layout | null} The current layout. Null before the first. */
  layout = null
  moving = false
  /** Width of the viewport, px. */
  width = 0
  height = 0
  sections = []
  /** The `layout` of the API. */
  options = null
  #element
  #root
  #observer = new ResizeObserver(() => this.#resized())
  #applied
  #send
  #arrived
  #gallery = null
  #drawn // a grid layout that is already rendered
  #outdated = false // whether the server has a newer layout
  #titled = false // whether sections have a title line
  #wanted // the anchor of the last layout change
  #wantedTop = 0 // scroll position after the last layout change, px

  /**
   * `applied(layout, top)` shows a new layout. `send(changes)` sends changes to the server. `arrived()` is called when missing frames have
   * arrived. `root` gets the width of the scrollbar as a style. `drawn` is the grid layout that is already rendered, if any.
   */
  constructor(element, scroller, { root, applied, send, arrived }, drawn) {
    this.#element = element
    this.#root = root
    this.#scroller = scroller
    this.#applied = applied
    this.#send = send
    this.#arrived = arrived
    this.#drawn = drawn
    this.#observer.observe(element)
  }

  /** Stops observing and removes the layout. */
  end() {
    this.#observer.disconnect()
    this.layout = this.#gallery = null
  }

  /** Lays out a gallery in the current viewport at `place` (an anchor, or null for the beginning). */
  begin(gallery, place) {
    this.#gallery = gallery
    this.sections = normalized(gallery.sections, gallery.itemCount)
    this.#titled = hasTitles(this.sections)
    this.#measure()
    this.#build()
    const clear = this.options.headerHeight // height of the section title over the first row
    this.#put(place && { fraction: 0, at: clear, ...place })
  }

  get viewport() {
    return { ...measured(this.#element), width: this.width, height: this.height }
  }

  /** Changes kind or density. The anchor stays in place. */
  change(changes, anchor = this.anchor()) {
    this.kind = changes.kind ?? this.kind
    this.density = changes.density ?? this.density
    if (!this.#gallery) return
    this.#build()
    this.#put(anchor)
    this.#send({ viewport: this.viewport, layout: this.options })
  }

  /** Call this when the server knows more pictures' proportions. Requests a new layout once the content stops moving. */
  outdate() {
    this.#outdated = true
    if (!this.moving) this.stopped()
  }

  stopped() {
    this.moving = false
    if (!this.#outdated || this.#scroller.barHeld) return
    this.#outdated = false
    if (this.#gallery && this.options.kind !== 'grid') this.change({})
  }

  visible() {
    const { home, height } = this.#scroller
    return this.layout ? this.layout.items(home, home + height) : { from: 0, to: 0 }
  }

  /** Returns the items that a person can see. Excludes those below the title at the top. */
  inSight() {
    const { layout } = this
    const { top, height } = this.#scroller
    if (!layout) return { from: 0, to: 0 }
    return layout.items(top + titleOver(layout, top), top + height)
  }

  /** Scrolls just far enough to show a whole item below the title at the top. Loads the item's frame first, if necessary. */
  reveal(item) {
    const { layout } = this
    const frame = layout?.frame(item)
    if (!frame) {
      // Only layouts computed by the server may lack a frame.
      if (layout && 'fetchFrame' in layout) layout.fetchFrame(item).then((arrived) => arrived && layout === this.layout && this.reveal(item))
      return
    }
    const scroller = this.#scroller
    const roof = Math.min(this.layout.headerHeight, scroller.height / 3)
    if (frame.y - roof < scroller.top) scroller.jump(frame.y - roof)
    else if (frame.y + frame.height > scroller.top + scroller.height) scroller.jump(frame.y + frame.height - scroller.height + 8)
  }

  /** Scrolls an item to the top, below the title there. Loads the item's frame first, if necessary. Resolves after scrolling. */
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
   * Returns the anchor of the first visible item below the title at the top, or null at the very top. Until the content is scrolled, the
   * anchor stays the same. Changing layout or size back and forth therefore restores the exact position.
   */
  anchor() {
    if (this.#isUnmoved) return this.#wanted
    const { home: top } = this.#scroller
    if (!this.layout || top <= 0) return null
    const clear = top + Math.min(this.layout.headerHeight, this.height / 3)
    let { from, to } = this.layout.items(clear, top + this.height)
    if (to <= from) ({ from, to } = this.layout.items(top, top + this.height))
    const frame = to > from ? this.layout.frame(from) : null
    return frame && anchorIn(frame, from, Math.max(clear, frame.y) - top, top)
  }

  /** Returns the anchor of an item at `at` px below the top of the viewport. */
  anchorAt(item, at) {
    if (this.#isUnmoved && this.#wanted && Math.abs(this.#wanted.at - at) < 1) return this.#wanted
    const frame = this.layout?.frame(item)
    return frame ? anchorIn(frame, item, at, this.#scroller.top) : this.anchor()
  }

  /** Loads a layout that only the server can compute, and applies it. Call this when the server knows the options. */
  async settle(path) {
    if (this.options?.kind === 'grid' || !path) return
    const { options } = this
    const { FetchedLayout } = await import('./fetched-layout.js')
    const layout = new FetchedLayout(options, this.width, this.sections, this.#gallery.itemCount, path, () => this.layout === layout && this.#arrived())
    let anchor = this.anchor()
    try {
      await layout.load(anchor?.item)
      // The person may have scrolled while the layout was loading: keep the new place.
      anchor = this.anchor()
      if (anchor && !layout.frame(anchor.item)) await layout.load(anchor.item)
    } catch {
      return // the connection reports the error. The next session tries again
    }
    if (this.options !== options) return
    this.#apply(layout, anchor)
  }

  /** Whether the content has not moved since the last layout change. */
  get #isUnmoved() {
    return this.#wanted !== undefined && this.#scroller.home === this.#wantedTop
  }

  /** Applies a layout, scrolled so that the anchor stays in place. */
  #apply(layout, anchor) {
    this.layout = layout
    this.#applied(layout, this.#topFor(anchor))
    this.#want(anchor)
  }

  #want(anchor) {
    this.#wanted = anchor ?? null
    this.#wantedTop = this.#scroller.home
  }

  #topFor(anchor) {
    const frame = anchor && this.layout.frame(anchor.item)
    return frame ? frame.y + anchor.fraction * frame.height - anchor.at : 0
  }

  #put(anchor) {
    this.#want(anchor)
    if (this.options.kind !== 'grid') return // `settle` applies the other kinds
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
      this.#applied(null, this.#scroller.home)
      this.#send({ viewport: this.viewport })
    }
  }
}

function anchorIn(frame, item, at, top) {
  return { item, at, fraction: (top + at - frame.y) / frame.height }
}
