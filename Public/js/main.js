// The page: a scroll becomes a post, an event becomes a picture in its cell.

import { placeInAddress, rememberPlace } from './address-bar.js'
import { Arrivals } from './arrivals.js'
import { Blanks } from './blanks.js'
import { linkCells } from './cells/link.js'
import { Waiting } from './cells/waiting.js'
import { frameGallery, opening, openingAnchor, sessionRequest } from './boot.js'
import { chosenGallery, isSame, letChoose } from './choice.js'
import { Connection } from './connection.js'
import { Controls } from './controls.js'
import { Density } from './density.js'
import { Grid } from './grid.js'
import { Header } from './header/header.js'
import { Headers } from './headers.js'
import { Items } from './items.js'
import { Keyboard } from './keyboard.js'
import { Notice } from './notice.js'
import { PagingKeys } from './paging.js'
import { parts } from './parts.js'
import { Phases } from './phase.js'
import { Pictures } from './pictures.js'
import { Poster } from './poster.js'
import { Scroller } from './scroll.js'
import { Scrubber } from './scrubber/scrubber.js'
import { Shape } from './shape.js'
import { Status } from './status.js'
import { Telling } from './telling.js'
import { tint } from './tint.js'
import { Work } from './work.js'

const REST = 150 // ms after the last movement: the scroll has stopped

const byId = (id) => document.getElementById(id)
const number = new Intl.NumberFormat('en')
const stillness = matchMedia('(prefers-reduced-motion: reduce)')

const pictures = new Pictures()
const work = new Work()
const status = new Status(byId('status'), byId('announcements'))
const notice = new Notice(byId('notice'))
const visible = () => shape.visible()
let gallery = null
let items = null
let described = null // what the session was asked to be
let opensAt = null // where the address leads, until the page has been moved
let restTimer

const scroller = new Scroller(byId('scroller'), byId('sizer'), [byId('headers'), byId('grid')], {
  moved,
  replaced() {
    grid.replace()
    headers.replace()
  },
})
const scrubber = new Scrubber(byId('scrubber'), scroller, (top) => scroller.jump(top))
const phases = new Phases(byId('scroller'), () => scroller.barHeld || scrubber.held)
const grid = new Grid(byId('grid'), scroller, {
  pictures,
  describe: (item) => items?.name(item) ?? `Picture ${number.format(item + 1)}`,
  color: (item) => tint(pictures.hash(item) ?? items?.get(item)?.thumbHash) || items?.get(item)?.color || '',
  recycling: (row) => keyboard.recycling(row),
})
const header = new Header(byId)
const headers = new Headers(byId('headers'), byId('stuck'), scroller)
const keyboard = new Keyboard(byId('grid'), grid, scroller, {
  layout: () => shape.layout,
  reveal: (item) => shape.reveal(item),
  open: (item, cell) => viewer.get().then((loaded) => loaded.open(item, cell)),
  retry(item) {
    arrivals.again(item)
    status.say(`Trying ${items.name(item)} again`)
  },
})
const shape = new Shape(byId('scroller'), scroller, { applied, tell: (changes) => telling.add(changes), came: () => draw(0) })
const density = new Density(byId('density'), byId('scroller'), (size, item, y) => {
  shape.change({ density: size }, item === undefined ? shape.anchor() : shape.anchorAt(item, y - scroller.element.getBoundingClientRect().top))
})
shape.density = density.value
const { company, dashboard, viewer, open } = parts({
  grid, pictures, scroller, scrubber, shape, work, visible,
  gallery: () => gallery, items: () => items, connection: () => connection, poster: () => poster, say: (text) => status.say(text),
  still: () => stillness.matches, viewed: (item) => keyboard.returned(item, visible()),
})
const poster = new Poster((sample) => connection.send('viewport', sample), planned)
const controls = new Controls(byId, (changes) => connection.change(changes).then((session) => session && controls.show(session)))

const telling = new Telling(poster, {
  send: (changes) => connection.change(changes),
  settle: () => shape.settle(connection.path),
  told: () => post('idle', true),
})
const connection = new Connection({
  async describe() {
    await choose()
    described = { viewport: shape.viewport, layout: shape.options }
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
    work.reset()
    dashboard.now?.listen()
    controls.show(session)
    // The window may have changed while the session was being made.
    const { viewport, layout } = described
    if (layout !== shape.options || viewport.width !== shape.width || viewport.height !== shape.height) {
      return telling.add({ viewport: shape.viewport, layout: shape.options })
    }
    shape.settle(connection.path).then(() => (attend(), learn()))
  },
  reopened: () => attend(),
  event(name, data) {
    if (name === 'thumbnail') arrivals.came(data)
    else if (name === 'failed') arrivals.failed(data)
    else if (name === 'plan') planned(data)
    else if (name === 'scroll') led(data)
    else if (name === 'hello') controls.show(data)
    else if (name === 'layout') shape.outdate()
    else if (name === 'gallery') connection.open() // its items have changed; this session keeps the old ones
  },
}, opening)

const blanks = new Blanks({
  lacking: () => connection.live && pictures.lacking(visible()).length,
  ask: () => post('idle', true),
})
const waiting = new Waiting({ lacking: () => pictures.lacking(visible()), cell: (item) => grid.cell(item) })
const arrivals = new Arrivals({
  pictures, work, grid, report, visible, tell: (what) => notice.pictures(what),
  ask: (item) => poster.offer({ time: performance.now(), scrollTop: scroller.top, phase: 'idle' }, [item]),
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
  shape.begin(gallery, place)
  opensAt = isFirst ? openingAnchor(gallery.itemCount, shape.options) : null
  viewer.now?.begin(gallery, items)
}

/** Where to stand in the gallery as it is now: the picture that was looked at stays where it is. */
async function carried(found) {
  const anchor = shape.anchor()
  const looked = viewer.now?.isOpen ? viewer.now.item : anchor?.item ?? 0
  const { carry } = await import('./carry.js')
  const shift = (await carry({ before: gallery, after: found, items, pictures, item: looked })) - looked
  grid.forget()
  keyboard.active = Math.min(Math.max(0, keyboard.active + shift), Math.max(0, found.itemCount - 1))
  viewer.now?.shift(shift)
  return anchor && { ...anchor, item: anchor.item + shift }
}

/** Puts a layout on the page (null: the same one, the viewport has changed) with the content at `top`. */
function applied(layout, top) {
  if (layout) {
    grid.setLayout(layout)
    headers.setLayout(layout)
    scrubber.setLayout(layout)
  }
  scroller.resize(shape.layout.contentHeight, shape.height, top)
  company.now?.laidOut(shape, gallery)
  draw(0)
}

function draw(delta) {
  grid.render(delta)
  headers.render()
  scrubber.moved()
  keyboard.settle(shape.inSight())
  waiting.watch()
  report()
}

function moved(movement) {
  draw(movement.delta)
  work.saw(visible())
  header.moved(movement.delta, scroller.top)
  opensAt = null
  shape.moving = true
  dashboard.now?.moved()
  const phase = company.now?.phase ?? phases.of(movement)
  company.now?.took(phase)
  if (!scroller.gliding) post(phase)
  clearTimeout(restTimer)
  blanks.stop()
  restTimer = setTimeout(rested, REST)
}

function rested() {
  phases.rest()
  company.now?.took('idle')
  post('idle')
  rememberPlace(shape.anchor())
  shape.rested()
  const range = shape.inSight()
  if (gallery) status.say(`Showing ${number.format(range.from + 1)} to ${number.format(range.to)} of ${number.format(gallery.itemCount)}`)
  blanks.watch()
  arrivals.rested()
  learn()
}

async function learn() {
  if (await items?.learn(visible())) for (const cell of grid.cells()) cell.learn()
}

function post(phase, everything = false) {
  if (!shape.layout || !connection.session) return
  poster.offer({ time: performance.now(), scrollTop: scroller.top, phase }, everything ? pictures.lacking(visible()) : [])
  if (everything) blanks.watch()
}

/** The server knows what it has sent, and sends the rest: only what is lacking after a while is asked for by name. */
const attend = () => (post('idle'), blanks.watch())

function planned(plan) {
  work.take(plan, pictures)
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
    const range = shape.inSight()
    return {
      visible: range, ready: pictures.count(range), itemCount: gallery?.itemCount ?? 0, prefetching: work.prefetching(range),
      cancelled: work.cancelled, roundTrip: poster.roundTrip,
    }
  })
}

new PagingKeys(scroller, { pressed: (at) => phases.note('keyboard', at) })
byId('skip').addEventListener('click', (event) => {
  event.preventDefault()
  keyboard.focus(keyboard.active)
})
linkCells(byId('grid'), (item) => items.name(item))
shape.kind = controls.layout
controls.onLayout = (kind) => shape.change({ kind })
open()
