// A gallery in a place of its own: its parts, and what happens when the content moves. The page is one, with much around it;
// an element in another's page is one, too.

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

const REST = 150 // ms after the last movement: the scroll has stopped
const IDLE = 500 // ms after the last, from when on what nobody asked for may be fetched

const number = new Intl.NumberFormat('en')
const stillness = matchMedia('(prefers-reduced-motion: reduce)')

export class GalleryView {
  find
  root
  surface
  /** Where a picture can be opened in a tab of its own. @type {(item: number) => string} */
  address
  /** Narrows the gallery to pictures that share a fact: whether that is offered, and the way there. */
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
   * @param opening A session that was asked for before there was a view, with the first screen that was drawn; or null.
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
    // Changes that a finger held back come when it goes, and after the click that it may have been.
    for (const type of ['touchend', 'touchcancel']) {
      find('scroller').addEventListener(type, () => setTimeout(() => this.session.rested(), REST), { passive: true })
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

  /** Aborted when the gallery ends for good. */
  get ended() {
    return this.#ending.signal
  }

  /** Ends for good: the stream, the session, and all that listens outside of the gallery. */
  end() {
    this.#ending.abort()
    clearTimeout(this.#restTimer)
    clearTimeout(this.#idleTimer)
    this.state.placeholders.clear()
    this.pageLayout.end()
    this.session.end()
  }

  // Subclasses override these: the page and the embedded element differ here.

  /** The name of the person who presents. */
  get visitor() {
    return ''
  }

  /** So many people follow this session now; `names` are of those who gave one. @param {{count: number, names: string[]}} _followers */
  followed(_followers) {}

  /**
   * The layout, the policy and what else is chosen.
   * @param {{change: (changes: object) => void, changeLayout: (kind: string) => void}} _changes
   * @returns {import('./gallery-session.js').SessionControls}
   */
  makeControls(_changes) {
    return { wishes: {}, layout: 'grid', show() {} }
  }

  /** A person opens a picture. */
  open(item, cell) {
    this.lazy.viewer.get().then((viewer) => viewer.open(item, cell), () => {})
  }

  /** The gallery, another or the same with other items, is in place. */
  begun() {}

  /** The items have other numbers. */
  renumbered() {}

  /** There is a new session. */
  opened() {}

  /** The selection has changed. */
  selected(/** @type {readonly import('../select/ranges.js').Range[]} */ _ranges) {}

  /** A person may go somewhere next: the server hears of it with the next position, or with this one. */
  hinted(hint) {
    const { pageLayout, session, scroller } = this
    if (!pageLayout.layout) return
    const { scrollTop } = hint
    if (scrollTop !== undefined) this.state.placeholders.want(pageLayout.layout.items(scrollTop, scrollTop + scroller.height))
    if (!session.connection.session) return
    session.sender.hint(hint, pageLayout.moving ? null : { time: performance.now(), scrollTop: scroller.top, phase: 'idle' })
  }

  /** Says something where everybody sees it, for a while. */
  tell(/** @type {string} */ text) {
    this.say(text)
  }

  say(text) {
    this.status.say(text)
  }

  /** The cause of a movement. */
  phase(movement) {
    return this.phases.of(movement)
  }

  // The visible items.

  /** The person wants no motion. */
  get isStill() {
    return stillness.matches
  }

  /** The content moves, or a hand is on it. */
  get isTouched() {
    return this.pageLayout.moving || this.scroller.barHeld || this.scrubber.held || this.phases.touching
  }

  /** The items in the viewport. */
  get visible() {
    return this.pageLayout.visible()
  }

  /** Shows soon what has come of the pictures in sight. */
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

  /** Learns the names of what is in sight. */
  async learn() {
    if (await this.state.items?.learn(this.visible)) for (const cell of this.grid.cells()) cell.learn()
  }

  /** Puts a layout in place (null: the same one, the viewport has changed) with the content at `top`. */
  laidOut(layout, top) {
    if (layout) {
      this.grid.setLayout(layout)
      this.sectionHeaders.setLayout(layout)
      this.scrubber.setLayout(layout)
    }
    this.scroller.resize(this.pageLayout.layout.contentHeight, this.pageLayout.height, top)
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

  /** Placeholders of more of the gallery are fetched while nothing else is to be done. */
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

  /** The content has moved. */
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
    this.#restTimer = setTimeout(() => this.rested(), REST)
  }

  /** The content has come to rest. */
  rested() {
    const { pageLayout, session, state } = this
    this.phases.stopped()
    session.post('idle')
    pageLayout.stopped()
    const range = pageLayout.inSight()
    if (state.gallery) this.say(`Showing ${number.format(range.from + 1)} to ${number.format(range.to)} of ${number.format(state.itemCount)}`)
    session.missing.watch()
    session.delivery.stopped()
    session.rested()
    this.learn()
  }

  #retry(item) {
    this.session.delivery.retry(item)
    this.say(`Retrying ${this.state.name(item)}`)
  }
}
