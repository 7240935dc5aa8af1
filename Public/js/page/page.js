// The page: its parts, and what happens when the content moves.

import { StatusLine } from '../feedback/status.js'
import { PageNotice } from '../feedback/page-notice.js'
import { CurrentGallery } from '../galleries/current-gallery.js'
import { linkCells } from '../grid/cell-link.js'
import { Grid } from '../grid/grid.js'
import { SectionHeaders } from '../grid/section-headers.js'
import { WaitingCells } from '../grid/waiting-cells.js'
import { Header } from '../header/header.js'
import { GridKeyboard } from '../keys/grid-keyboard.js'
import { PagingKeys } from '../keys/paging-keys.js'
import { Density } from '../layout/density.js'
import { PageLayout } from '../layout/page-layout.js'
import { ScrollPhases } from '../scroll/scroll-phases.js'
import { Scroller } from '../scroll/scroller.js'
import { Scrubber } from '../scrubber/scrubber.js'
import { rememberPlace } from './address-bar.js'
import { LazyParts } from './lazy-parts.js'
import { PageSession } from './page-session.js'
import { PageState } from './page-state.js'

const REST = 150 // ms after the last movement: the scroll has stopped

const byId = (id) => document.getElementById(id)
const number = new Intl.NumberFormat('en')
const stillness = matchMedia('(prefers-reduced-motion: reduce)')

export class Page {
  state = new PageState()
  status = new StatusLine(byId('status'), byId('announcements'))
  notice = new PageNotice(byId('notice'))
  header = new Header(byId)
  scroller = new Scroller(byId('scroller'), byId('sizer'), [byId('headers'), byId('grid')], {
    moved: (movement) => this.#moved(movement),
    replaced: () => this.#replaced(),
  })
  scrubber = new Scrubber(byId('scrubber'), this.scroller, (top) => this.scroller.jump(top))
  phases = new ScrollPhases(byId('scroller'), () => this.scroller.barHeld || this.scrubber.held)
  grid = new Grid(byId('grid'), this.scroller, {
    thumbnails: this.state.thumbnails,
    describe: (item) => this.state.name(item),
    color: (item) => this.state.color(item),
    recycling: (row) => this.keyboard.recycling(row),
  })
  sectionHeaders = new SectionHeaders(byId('headers'), byId('stuck'), this.scroller)
  keyboard = new GridKeyboard(byId('grid'), this.grid, this.scroller, {
    layout: () => this.pageLayout.layout,
    reveal: (item) => this.pageLayout.reveal(item),
    open: (item, cell) => this.lazy.viewer.get().then((viewer) => viewer.open(item, cell)),
    retry: (item) => this.#retry(item),
  })
  pageLayout = new PageLayout(byId('scroller'), this.scroller, {
    applied: (layout, top) => this.#laidOut(layout, top),
    tell: (changes) => this.session.updates.add(changes),
    came: () => this.#draw(0),
  })
  density = new Density(byId('density'), byId('scroller'), (size, item, y) => {
    const anchor = item === undefined ? this.pageLayout.anchor() : this.pageLayout.anchorAt(item, y - byId('scroller').getBoundingClientRect().top)
    this.pageLayout.change({ density: size }, anchor)
  })
  currentGallery = new CurrentGallery(this)
  /** @type {PageSession} */
  session
  lazy = new LazyParts(this)
  #waitingCells = new WaitingCells({
    lacking: () => this.state.thumbnails.lacking(this.visible),
    cell: (item) => this.grid.cell(item),
  })
  #restTimer = 0

  /** `opening`: the session that was asked for before the page was there, if there is one. */
  constructor(opening) {
    this.session = new PageSession(this, opening)
    this.pageLayout.density = this.density.value
    this.pageLayout.kind = this.session.controls.layout
    new PagingKeys(this.scroller, { pressed: (at) => this.phases.note('keyboard', at) })
    byId('skip').addEventListener('click', (event) => {
      event.preventDefault()
      this.keyboard.focus(this.keyboard.active)
    })
    linkCells(byId('grid'), (item) => this.state.name(item))
  }

  /** The person wants no motion. */
  get isStill() {
    return stillness.matches
  }

  /** The items in the viewport. */
  get visible() {
    return this.pageLayout.visible()
  }

  say(text) {
    this.status.say(text)
  }

  /** Shows soon what has come of the pictures in sight. */
  report() {
    const { thumbnails, prefetchState, itemCount } = this.state
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

  /** Puts a layout on the page (null: the same one, the viewport has changed) with the content at `top`. */
  #laidOut(layout, top) {
    if (layout) {
      this.grid.setLayout(layout)
      this.sectionHeaders.setLayout(layout)
      this.scrubber.setLayout(layout)
    }
    this.scroller.resize(this.pageLayout.layout.contentHeight, this.pageLayout.height, top)
    this.lazy.sharing.now?.laidOut(this.pageLayout, this.state.gallery)
    this.#draw(0)
  }

  #draw(delta) {
    this.grid.render(delta)
    this.sectionHeaders.render()
    this.scrubber.moved()
    this.keyboard.settle(this.pageLayout.inSight())
    this.#waitingCells.watch()
    this.report()
  }

  #replaced() {
    this.grid.replace()
    this.sectionHeaders.replace()
  }

  #moved(movement) {
    const { lazy, scroller, session } = this
    this.#draw(movement.delta)
    this.state.prefetchState.saw(this.visible)
    this.header.moved(movement.delta, scroller.top)
    this.state.opensAt = null
    this.pageLayout.moving = true
    lazy.dashboard.now?.moved()
    const phase = lazy.sharing.now?.phase ?? this.phases.of(movement)
    lazy.sharing.now?.took(phase)
    if (!scroller.gliding) session.post(phase)
    clearTimeout(this.#restTimer)
    session.missing.stop()
    this.#restTimer = setTimeout(() => this.#rested(), REST)
  }

  #rested() {
    const { pageLayout, session, state } = this
    this.phases.rest()
    this.lazy.sharing.now?.took('idle')
    session.post('idle')
    rememberPlace(pageLayout.anchor())
    pageLayout.rested()
    const range = pageLayout.inSight()
    if (state.gallery) this.say(`Showing ${number.format(range.from + 1)} to ${number.format(range.to)} of ${number.format(state.itemCount)}`)
    session.missing.watch()
    session.delivery.rested()
    this.learn()
  }

  #retry(item) {
    this.session.delivery.retry(item)
    this.say(`Trying ${this.state.name(item)} again`)
  }
}
