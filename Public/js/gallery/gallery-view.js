// A gallery with its parts, and the reactions to scrolling. `Page` adds the controls of the server's page, `EmbeddedGallery` the
// interface of an element in another page.

import { PageNotice } from '../feedback/page-notice.js'
import { StatusLine } from '../feedback/status.js'
import { CurrentGallery } from '../galleries/current-gallery.js'
import { linkCells } from '../grid/cell-link.js'
import { Grid } from '../grid/grid.js'
import { SectionHeaders } from '../grid/section-headers.js'
import { WaitingCells } from '../grid/waiting-cells.js'
import { GridKeyboard } from '../keys/grid-keyboard.js'
import { PageLayout } from '../layout/page-layout.js'
import { PageState } from '../page/page-state.js'
import { ScrollPhases } from '../scroll/scroll-phases.js'
import { Scroller } from '../scroll/scroller.js'
import { Scrubber } from '../scrubber/scrubber.js'
import { GalleryParts } from './gallery-parts.js'
import { GallerySession } from './gallery-session.js'

const REST = 150 // ms after the last movement until the scroll counts as stopped
const IDLE = 500 // ms after the last movement until placeholders of more items are fetched

const number = new Intl.NumberFormat('en')
const stillness = matchMedia('(prefers-reduced-motion: reduce)')

export class GalleryView {
  find
  root
  surface
  /** Returns the address that opens a picture in its own tab. @type {(item: number) => string} */
  address
  /** Filters the gallery to pictures that share a fact: `isOffered()` returns whether that is possible, `to(filter)` does it. */
  narrow = { isOffered: () => false, to: (_filter) => {} }
  state
  status
  notice
  scroller
  scrubber
  phases
  grid
  sectionHeaders
  keyboard
  pageLayout
  currentGallery
  session
  /** @type {GalleryParts} */
  lazy
  #waitingCells
  #ending = new AbortController()
  #restTimer = 0
  #idleTimer = 0

  /**
   * @param {import('./gallery-room.js').GalleryRoom} room
   * @param opening A session that was requested before the view existed, with its first screen; or null.
   */
  constructor(room, opening = null) {
    const { find, root } = room
    const { signal } = this.#ending
    const first = opening?.screen
    this.find = find
    this.root = root
    this.surface = room.surface
    this.address = room.address
    this.state = new PageState(first?.thumbnails, first?.placeholders)
    this.status = new StatusLine(find('status'), find('announcements'), root)
    this.notice = new PageNotice(find('notice'), { enter: room.enter, unfilter: room.unfilter, retry: () => this.session.retry(), say: (text) => this.say(text) })
    this.scroller = new Scroller(find('scroller'), find('sizer'), [find('headers'), find('grid')], {
      moved: (movement) => this.moved(movement),
      replaced: () => this.#replaced(),
    }, signal)
    const seek = (/** @type {number} */ top) => this.scroller.jump(top)
    this.scrubber = first?.scrubber ?? new Scrubber(find('scrubber'), this.scroller, seek, room)
    this.scrubber.join(this.scroller, seek, (item) => ({ src: this.state.thumbnails.get(item)?.src, hash: this.state.placeholders.hash(item) }))
    this.phases = new ScrollPhases(find('scroller'), () => this.scroller.barHeld || this.scrubber.held)
    this.grid = this.#makeGrid(first)
    this.state.placeholders.arrived = (range) => {
      this.grid.learn(range)
      this.lazy?.viewer.now?.preview()
      this.scrubber.preview()
    }
    this.sectionHeaders = first?.sectionHeaders ?? new SectionHeaders(find('headers'), find('stuck'), this.scroller)
    this.sectionHeaders.scroller = this.scroller
    this.keyboard = new GridKeyboard(find('grid'), this.grid, this.scroller, {
      layout: () => this.pageLayout.layout,
      reveal: (item) => this.pageLayout.reveal(item),
      open: (item, cell) => this.open(item, cell),
      retry: (item) => this.#retry(item),
    })
    this.pageLayout = new PageLayout(find('scroller'), this.scroller, {
      root,
      applied: (layout, top) => this.laidOut(layout, top),
      send: (changes) => this.session.updates.add(changes),
      arrived: () => this.#draw(0),
    }, first?.layout)
    this.currentGallery = new CurrentGallery(this, room.choice)
    this.#waitingCells = new WaitingCells({
      lacking: () => this.state.thumbnails.lacking(this.visible),
      cell: (item) => this.grid.cell(item),
    })
    this.session = new GallerySession(this, opening, { signal, source: room.source })
    this.pageLayout.kind = this.session.controls.layout
    linkCells(find('grid'), (item) => this.state.name(item), this.address)
    // A change of the gallery waits until the finger is lifted, and until a click by that finger has been handled.
    for (const type of ['touchend', 'touchcancel']) {
      find('scroller').addEventListener(type, () => setTimeout(() => this.session.stopped(), REST), { passive: true })
    }
  }

  #makeGrid(first) {
    const sources = {
      thumbnails: this.state.thumbnails,
      describe: (item) => this.state.name(item),
      hash: (item) => this.state.placeholders.hash(item),
      color: (item) => this.state.color(item),
      known: (item) => this.state.items?.known(item),
      recycling: (row) => this.keyboard.recycling(row),
      isSelected: (item) => this.lazy?.selection.now?.has(item) ?? false,
    }
    if (!first) return new Grid(this.find('grid'), this.scroller, sources)
    first.grid.join(this.scroller, sources)
    return first.grid
  }

  /** Signal that is aborted when the gallery ends for good. */
  get ended() {
    return this.#ending.signal
  }

  /** Ends the gallery for good: the stream, the session, and all listeners outside the gallery. */
  end() {
    this.#ending.abort()
    clearTimeout(this.#restTimer)
    clearTimeout(this.#idleTimer)
    this.state.placeholders.clear()
    this.pageLayout.end()
    this.session.end()
  }

  // Subclasses override the following members: the page and the embedded element differ here.

  /** Name of the person, shown to followers. */
  get visitor() {
    return ''
  }

  /** Called when the followers change. `names` has the names of those who gave one. @param {{count: number, names: string[]}} _followers */
  followed(_followers) {}

  /** Called when the followers' places change. @param {import('../sharing/watchers.js').Audience} _audience */
  attended(_audience) {}

  /**
   * Creates the controls for layout, policy and prefetching.
   * @param {{change: (changes: object) => void, changeLayout: (kind: string) => void}} _changes
   * @returns {import('./gallery-session.js').SessionControls}
   */
  makeControls(_changes) {
    return { wishes: {}, layout: 'grid', show() {} }
  }

  open(item, cell) {
    this.lazy.viewer.get().then((viewer) => viewer.open(item, cell), () => {})
  }

  /** Called when the page shows another gallery, or other items of the same one. */
  begun() {}

  /** Called when the items have new numbers. */
  renumbered() {}

  /** Called when there is a new session. */
  opened() {}

  /** Called when the selection has changed. */
  selected(/** @type {readonly import('../select/ranges.js').Range[]} */ _ranges) {}

  /** Sends a hint where the person may go next, together with a scroll position. Fetches the placeholders there. */
  hinted(hint) {
    const { pageLayout, session, scroller } = this
    if (!pageLayout.layout) return
    const { scrollTop } = hint
    if (scrollTop !== undefined) this.state.placeholders.want(pageLayout.layout.items(scrollTop, scrollTop + scroller.height))
    if (!session.connection.session) return
    session.sender.hint(hint, pageLayout.moving ? null : { time: performance.now(), scrollTop: scroller.top, phase: 'idle' })
  }

  /** Shows a message to the person. Subclasses show it for a few seconds; this class only announces it to screen readers. */
  notify(/** @type {string} */ text) {
    this.say(text)
  }

  say(text) {
    this.status.say(text)
  }

  phase(movement) {
    return this.phases.of(movement)
  }

  /** Whether the person prefers reduced motion. */
  get isStill() {
    return stillness.matches
  }

  get isTouched() {
    return this.pageLayout.moving || this.scroller.barHeld || this.scrubber.held || this.phases.touching
  }

  get visible() {
    return this.pageLayout.visible()
  }

  /** Updates previews and the status line after the state of pictures has changed. */
  report() {
    const { thumbnails, prefetchState, itemCount } = this.state
    this.lazy?.viewer.now?.preview()
    this.scrubber.preview()
    this.status.soon(() => {
      const range = this.pageLayout.inSight()
      return {
        visible: range, ready: thumbnails.count(range), itemCount, prefetching: prefetchState.prefetching(range),
        cancelled: prefetchState.cancelled, roundTrip: this.session.sender.roundTrip,
      }
    })
  }

  /** Requests the names of the visible items. */
  async learn() {
    if (await this.state.items?.learn(this.visible)) for (const cell of this.grid.cells()) cell.learn()
  }

  /** Applies a layout with the content at `top`. null: the layout is the same, and only the viewport has changed. */
  laidOut(layout, top) {
    if (layout) {
      this.grid.setLayout(layout)
      this.sectionHeaders.setLayout(layout)
      this.scrubber.setLayout(layout)
    }
    this.scroller.resize(this.pageLayout.layout.contentHeight, this.pageLayout.height, top)
    this.#draw(0)
  }

  /** Shows the gallery at another position until the next movement, or at the person's own (null). The session does not change. */
  lookAt(/** @type {number | null} */ top) {
    clearTimeout(this.#restTimer)
    if (this.pageLayout.moving) this.stopped()
    this.scroller.lookAt(top)
    this.#draw(0)
  }

  #draw(delta) {
    const { placeholders } = this.state
    placeholders.saw(this.visible, Math.abs(delta) > this.scroller.height ? 0 : delta)
    this.#idleSoon()
    this.grid.render(delta)
    this.sectionHeaders.render()
    this.scrubber.moved()
    this.keyboard.settle(this.pageLayout.inSight())
    this.#waitingCells.watch()
    this.report()
  }

  /** Fetches placeholders of more items once the page is idle. Not if the person has turned on data saving. */
  #idleSoon() {
    clearTimeout(this.#idleTimer)
    this.state.placeholders.stop()
    if (/** @type {any} */ (navigator).connection?.saveData) return
    this.#idleTimer = setTimeout(() => {
      const isBusy = this.isTouched || this.state.thumbnails.lacking(this.visible).length > 0
      if (isBusy) this.#idleSoon()
      else this.state.placeholders.fill(this.visible)
    }, IDLE)
  }

  #replaced() {
    this.grid.replace()
    this.sectionHeaders.replace()
  }

  moved(movement) {
    const { session } = this
    this.#draw(movement.delta)
    this.state.prefetchState.saw(this.visible)
    this.state.opensAt = null
    this.pageLayout.moving = true
    const phase = this.phase(movement)
    if (!this.scroller.gliding) session.post(phase)
    clearTimeout(this.#restTimer)
    session.missing.stop()
    this.#restTimer = setTimeout(() => this.stopped(), REST)
  }

  /** Called when scrolling has stopped. */
  stopped() {
    const { pageLayout, session, state } = this
    this.phases.stopped()
    session.post('idle')
    pageLayout.stopped()
    const range = pageLayout.inSight()
    if (state.gallery) this.say(`Showing ${number.format(range.from + 1)} to ${number.format(range.to)} of ${number.format(state.itemCount)}`)
    session.missing.watch()
    session.delivery.stopped()
    session.stopped()
    this.learn()
  }

  #retry(item) {
    this.session.delivery.retry(item)
    this.say(`Retrying ${this.state.name(item)}`)
  }
}
