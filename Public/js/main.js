// The page: a scroll becomes a post, an event becomes a picture in its cell.

import { frameGallery, opening, openingAnchor, sessionRequest } from './boot.js'
import { PageNotice } from './feedback/page-notice.js'
import { Status } from './feedback/status.js'
import { Items } from './galleries/items.js'
import { chosenGallery, isSame, letChoose } from './galleries/selection.js'
import { linkCells } from './grid/cell-link.js'
import { Grid } from './grid/grid.js'
import { SectionHeaders } from './grid/section-headers.js'
import { WaitingCells } from './grid/waiting-cells.js'
import { Controls } from './header/controls.js'
import { Header } from './header/header.js'
import { GridKeyboard } from './keys/grid-keyboard.js'
import { PagingKeys } from './keys/paging-keys.js'
import { Density } from './layout/density.js'
import { PageLayout } from './layout/page-layout.js'
import { placeInAddress, rememberPlace } from './page/address-bar.js'
import { lazyParts } from './page/lazy-parts.js'
import { ScrollPhases } from './scroll/scroll-phases.js'
import { Scroller } from './scroll/scroller.js'
import { Scrubber } from './scrubber/scrubber.js'
import { Connection } from './session/connection.js'
import { PrefetchState } from './session/prefetch-state.js'
import { SessionUpdates } from './session/session-updates.js'
import { ViewportSender } from './session/viewport-sender.js'
import { averageColor } from './thumbnails/average-color.js'
import { ThumbnailDelivery } from './thumbnails/delivery.js'
import { MissingWatch } from './thumbnails/missing-watch.js'
import { ThumbnailCache } from './thumbnails/thumbnail-cache.js'

const REST = 150 // ms after the last movement: the scroll has stopped

const byId = (id) => document.getElementById(id)
const number = new Intl.NumberFormat('en')
const stillness = matchMedia('(prefers-reduced-motion: reduce)')

const thumbnails = new ThumbnailCache()
const prefetchState = new PrefetchState()
const status = new Status(byId('status'), byId('announcements'))
const notice = new PageNotice(byId('notice'))
const visible = () => pageLayout.visible()
let gallery = null
let items = null
let described = null // what the session was asked to be
let opensAt = null // where the address leads, until the page has been moved
let restTimer

const scroller = new Scroller(byId('scroller'), byId('sizer'), [byId('headers'), byId('grid')], {
  moved,
  replaced() {
    grid.replace()
    sectionHeaders.replace()
  },
})
const scrubber = new Scrubber(byId('scrubber'), scroller, (top) => scroller.jump(top))
const phases = new ScrollPhases(byId('scroller'), () => scroller.barHeld || scrubber.held)
const grid = new Grid(byId('grid'), scroller, {
  thumbnails,
  describe: (item) => items?.name(item) ?? `Picture ${number.format(item + 1)}`,
  color: (item) => averageColor(thumbnails.hash(item) ?? items?.get(item)?.thumbHash) || items?.get(item)?.color || '',
  recycling: (row) => keyboard.recycling(row),
})
const header = new Header(byId)
const sectionHeaders = new SectionHeaders(byId('headers'), byId('stuck'), scroller)
const keyboard = new GridKeyboard(byId('grid'), grid, scroller, {
  layout: () => pageLayout.layout,
  reveal: (item) => pageLayout.reveal(item),
  open: (item, cell) => viewer.get().then((loaded) => loaded.open(item, cell)),
  retry(item) {
    delivery.retry(item)
    status.say(`Trying ${items.name(item)} again`)
  },
})
const pageLayout = new PageLayout(byId('scroller'), scroller, { applied, tell: (changes) => updates.add(changes), came: () => draw(0) })
const density = new Density(byId('density'), byId('scroller'), (size, item, y) => {
  pageLayout.change({ density: size }, item === undefined ? pageLayout.anchor() : pageLayout.anchorAt(item, y - scroller.element.getBoundingClientRect().top))
})
pageLayout.density = density.value
const { sharing, dashboard, viewer, open } = lazyParts({
  grid, thumbnails, scroller, scrubber, pageLayout, prefetchState, visible,
  gallery: () => gallery, items: () => items, connection: () => connection, sender: () => sender, say: (text) => status.say(text),
  still: () => stillness.matches, viewed: (item) => keyboard.returned(item, visible()),
})
const sender = new ViewportSender((sample) => connection.send('viewport', sample), planned)
const controls = new Controls(byId, (changes) => connection.change(changes).then((session) => session && controls.show(session)))

const updates = new SessionUpdates(sender, {
  send: (changes) => connection.change(changes),
  settle: () => pageLayout.settle(connection.path),
  told: () => post('idle', true),
})
const connection = new Connection({
  async describe() {
    await choose()
    described = { viewport: pageLayout.viewport, layout: pageLayout.options }
    // A server that starts where the page is does not fetch the beginning for nobody.
    const where = opensAt ? { anchor: opensAt } : { scrollTop: scroller.top }
    return sessionRequest({ gallery, ...described, where, wishes: controls.wishes })
  },
  state(name, error) {
    status.connection(name)
    notice.connection(name, error)
    if (name === 'reconnecting') status.say('Connection lost, reconnecting')
  },
  opened(session) {
    document.documentElement.dataset.session = session.id // for scripts that drive this page
    prefetchState.reset()
    dashboard.now?.listen()
    controls.show(session)
    // The window may have changed while the session was being made.
    const { viewport, layout } = described
    if (layout !== pageLayout.options || viewport.width !== pageLayout.width || viewport.height !== pageLayout.height) {
      return updates.add({ viewport: pageLayout.viewport, layout: pageLayout.options })
    }
    pageLayout.settle(connection.path).then(() => (attend(), learn()))
  },
  reopened: () => attend(),
  event(name, data) {
    if (name === 'thumbnail') delivery.received(data)
    else if (name === 'failed') delivery.failed(data)
    else if (name === 'plan') planned(data)
    else if (name === 'scroll') led(data)
    else if (name === 'hello') controls.show(data)
    else if (name === 'layout') pageLayout.outdate()
    else if (name === 'gallery') connection.open() // its items have changed; this session keeps the old ones
  },
}, opening)

const missingWatch = new MissingWatch({
  lacking: () => connection.live && thumbnails.lacking(visible()).length,
  ask: () => post('idle', true),
})
const waitingCells = new WaitingCells({ lacking: () => thumbnails.lacking(visible()), cell: (item) => grid.cell(item) })
const delivery = new ThumbnailDelivery({
  thumbnails, prefetchState, grid, report, visible, tell: (what) => notice.thumbnails(what),
  ask: (item) => sender.offer({ time: performance.now(), scrollTop: scroller.top, phase: 'idle' }, [item]),
})

async function choose() {
  const found = opening?.takeGallery() ?? (await chosenGallery(gallery).catch((error) => letChoose(error, byId('start'), connection)))
  if (gallery && isSame(gallery, found)) return
  const isFirst = !gallery
  const place = isFirst ? placeInAddress(found.itemCount) : await carried(found)
  gallery = found
  items = new Items(gallery)
  frameGallery(gallery)
  notice.empty(gallery.itemCount === 0)
  scrubber.begin(gallery.sections)
  pageLayout.begin(gallery, place)
  opensAt = isFirst ? openingAnchor(gallery.itemCount, pageLayout.options) : null
  viewer.now?.begin(gallery, items)
}

/** Where to stand in the gallery as it is now: the picture that was looked at stays where it is. */
async function carried(found) {
  const anchor = pageLayout.anchor()
  const looked = viewer.now?.isOpen ? viewer.now.item : anchor?.item ?? 0
  const { relocate } = await import('./galleries/relocate.js')
  const shift = (await relocate({ before: gallery, after: found, items, thumbnails, item: looked })) - looked
  grid.forget()
  keyboard.active = Math.min(Math.max(0, keyboard.active + shift), Math.max(0, found.itemCount - 1))
  viewer.now?.shift(shift)
  return anchor && { ...anchor, item: anchor.item + shift }
}

/** Puts a layout on the page (null: the same one, the viewport has changed) with the content at `top`. */
function applied(layout, top) {
  if (layout) {
    grid.setLayout(layout)
    sectionHeaders.setLayout(layout)
    scrubber.setLayout(layout)
  }
  scroller.resize(pageLayout.layout.contentHeight, pageLayout.height, top)
  sharing.now?.laidOut(pageLayout, gallery)
  draw(0)
}

function draw(delta) {
  grid.render(delta)
  sectionHeaders.render()
  scrubber.moved()
  keyboard.settle(pageLayout.inSight())
  waitingCells.watch()
  report()
}

function moved(movement) {
  draw(movement.delta)
  prefetchState.saw(visible())
  header.moved(movement.delta, scroller.top)
  opensAt = null
  pageLayout.moving = true
  dashboard.now?.moved()
  const phase = sharing.now?.phase ?? phases.of(movement)
  sharing.now?.took(phase)
  if (!scroller.gliding) post(phase)
  clearTimeout(restTimer)
  missingWatch.stop()
  restTimer = setTimeout(rested, REST)
}

function rested() {
  phases.rest()
  sharing.now?.took('idle')
  post('idle')
  rememberPlace(pageLayout.anchor())
  pageLayout.rested()
  const range = pageLayout.inSight()
  if (gallery) status.say(`Showing ${number.format(range.from + 1)} to ${number.format(range.to)} of ${number.format(gallery.itemCount)}`)
  missingWatch.watch()
  delivery.rested()
  learn()
}

async function learn() {
  if (await items?.learn(visible())) for (const cell of grid.cells()) cell.learn()
}

function post(phase, everything = false) {
  if (!pageLayout.layout || !connection.session) return
  sender.offer({ time: performance.now(), scrollTop: scroller.top, phase }, everything ? thumbnails.lacking(visible()) : [])
  if (everything) missingWatch.watch()
}

/** The server knows what it has sent, and sends the rest: only what is lacking after a while is asked for by name. */
const attend = () => (post('idle'), missingWatch.watch())

function planned(plan) {
  prefetchState.take(plan, thumbnails)
  report()
}

/** The server moved the viewport; the page follows. */
async function led({ scrollTop, animated }) {
  phases.note('jump')
  if (animated && !stillness.matches) {
    await scroller.glide(scrollTop)
    post('jump')
  } else scroller.jump(scrollTop)
}

function report() {
  status.soon(() => {
    const range = pageLayout.inSight()
    return {
      visible: range, ready: thumbnails.count(range), itemCount: gallery?.itemCount ?? 0, prefetching: prefetchState.prefetching(range),
      cancelled: prefetchState.cancelled, roundTrip: sender.roundTrip,
    }
  })
}

new PagingKeys(scroller, { pressed: (at) => phases.note('keyboard', at) })
byId('skip').addEventListener('click', (event) => {
  event.preventDefault()
  keyboard.focus(keyboard.active)
})
linkCells(byId('grid'), (item) => items.name(item))
pageLayout.kind = controls.layout
controls.onLayout = (kind) => pageLayout.change({ kind })
open()
