// One side of a race: a gallery of its own, with a cold session, scrolled from outside or by the person.

import { LineUse } from './line-use.js'
import { Grid } from '../grid/grid.js'
import { GridLayout } from '../layout/grid-layout.js'
import { normalized } from '../layout/sections.js'
import { ScrollPhases } from '../scroll/scroll-phases.js'
import { Scroller } from '../scroll/scroller.js'
import { address, get, post } from '../session/api.js'
import { EventChannel } from '../session/event-channel.js'
import { postFromWorker } from '../session/post-from-worker.js'
import { ViewportSender } from '../session/viewport-sender.js'
import { Placeholders } from '../thumbnails/placeholders.js'
import { ThumbnailCache } from '../thumbnails/thumbnail-cache.js'
import { BLURRING } from './setup.js'
import { Tally } from './tally.js'

const number = new Intl.NumberFormat('en')

export class Pane {
  root
  view
  scroller
  phases
  grid
  layout = null
  thumbnails = new ThumbnailCache()
  #placeholders = new Placeholders()
  #hasPlaceholders = false // only if the program that the policy is named after has them
  tally = new Tally()
  /** The latest measurement: the place in px, the number of cells in view, and those of them without their picture. */
  seen = { top: 0, cells: 0, blank: [] }
  line = new LineUse() // what the session used of its network
  #lost
  #path = null // of the session, while there is one
  /** @type {ViewportSender | null} */
  #sender = null // of its positions
  #counts = null // what the session said last of what it fetched
  #turn = 0 // rises with every session, so that one that comes late is closed
  #isLed = false // moved from outside, not by the person
  #greeted = (_) => {} // resolves `open`
  #channel = new EventChannel(['hello', 'thumbnail', 'failed', 'stats', 'bye'], {
    received: (name, data) => this.#heard(name, data),
    lost: () => this.#lost(), // what came late would count as blank
  })

  /**
   * `root` holds the view; `scrolled(pane, top, phase)` hears of the person's scrolling, `lost(reason)` of the end of
   * the session, without a reason if the server cannot be reached.
   */
  constructor(root, { scrolled, lost }) {
    this.root = root
    this.view = root.querySelector('.view')
    this.#lost = lost
    const [sizer, layer] = [root.querySelector('.sizer'), root.querySelector('.layer')]
    this.scroller = new Scroller(this.view, sizer, [layer], {
      moved: (movement) => {
        if (this.#hasPlaceholders) this.#placeholders.saw(this.visible, movement.delta)
        this.grid.render(movement.delta)
        if (!this.#isLed) scrolled(this, this.scroller.top, this.phases.of(movement))
      },
      replaced: () => this.grid.replace(),
    })
    this.phases = new ScrollPhases(this.view, () => this.scroller.barHeld)
    this.grid = new Grid(layer, this.scroller, {
      thumbnails: this.thumbnails,
      describe: (item) => `Picture ${number.format(item + 1)}`,
      hash: (item) => (this.#hasPlaceholders ? this.#placeholders.hash(item) : null),
      color: () => '',
      recycling: () => {},
    })
    this.#placeholders.came = (range) => this.grid.learn(range)
  }

  /**
   * Opens a cold session as `wishes` say (`policy`, `prefetching`, and `share` or `cold`), and resolves when it is being told
   * of; the pictures come by and by. `blurs`: whether the policies that have blurs show them.
   */
  async open({ gallery, layout, width, height, blurs = true, ...wishes }) {
    this.layout = new GridLayout(layout, width, normalized(gallery.sections, gallery.itemCount), gallery.itemCount)
    this.#hasPlaceholders = blurs && BLURRING.has(wishes.policy)
    this.empty()
    this.#placeholders.begin(gallery)
    this.grid.setLayout(this.layout)
    this.#lead(() => this.scroller.resize(this.layout.contentHeight, height, 0))
    if (this.#hasPlaceholders) this.#placeholders.saw(this.visible, 0)
    this.grid.render()
    this.tally = new Tally()
    this.#counts = null
    const turn = ++this.#turn
    const session = await post('api/v1/sessions', {
      gallery: gallery.id, layout, ...wishes,
      viewport: { width, height, pixelRatio: Math.min(4, devicePixelRatio || 1) },
    })
    const path = `api/v1/sessions/${encodeURIComponent(session.id)}`
    if (turn !== this.#turn) return void navigator.sendBeacon(address(`${path}/close`)) // nobody waits for it any more
    this.#path = path
    this.#sender = new ViewportSender((sample) => postFromWorker(`${path}/viewport`, sample).catch(() => null), () => {})
    await new Promise((resolve) => {
      this.#greeted = resolve
      this.#channel.open(address(`${path}/events`))
    })
  }

  #heard(name, data) {
    if (name === 'hello') this.#greeted(data)
    else if (name === 'thumbnail') {
      this.thumbnails.receive(data)
      this.grid.arrived(data.item)
    } else if (name === 'failed') {
      this.thumbnails.fail(data)
      this.grid.cell(data.item)?.refresh()
    } else if (name === 'stats') {
      this.#counts = data.counts
      this.line.hear(data)
    } else this.#lost(data.reason)
  }

  /** Takes the pictures off: what is on show from now on has come for the next race. */
  empty() {
    this.thumbnails.clear()
    this.#placeholders.clear()
    this.grid.forget()
    this.grid.render()
  }

  /** Scrolls there, and tells the server. */
  scroll(top, phase) {
    this.#lead(() => this.scroller.jump(top))
    this.told(phase)
  }

  told(phase) {
    this.#sender?.offer({ time: performance.now(), scrollTop: this.scroller.top, phase })
  }

  get visible() {
    const { top, height } = this.scroller
    return this.layout.items(top, top + height)
  }

  get blank() {
    return this.thumbnails.lacking(this.visible)
  }

  /** Watches from now on what the session uses of its network. */
  watchLine() {
    this.line = new LineUse()
  }

  /** Measures what is on the screen from now on. */
  measure(now) {
    const { visible: { from, to }, blank } = this
    const empty = this.#hasPlaceholders ? blank.filter((item) => !this.#placeholders.hash(item)) : blank
    const { top } = this.scroller
    this.seen = { top, cells: to - from, blank }
    this.tally.frame(now, { cells: to - from, blank: blank.length, empty: empty.length, top })
  }

  /** Shows again what it showed at a moment, as in `seen`; for a session that has been closed. */
  show({ top, blank }) {
    for (const item of blank) this.thumbnails.held.delete(item)
    this.#lead(() => this.scroller.jump(top))
    for (const cell of this.grid.cells()) {
      const { item } = cell
      cell.forget()
      cell.assign(item, true)
    }
  }

  /** Asks once more for what has not come. */
  remind() {
    const missing = this.blank
    if (missing.length) this.#sender?.offer({ time: performance.now(), scrollTop: this.scroller.top, phase: 'idle' }, missing)
  }

  /** The session's counts as they are now; the last ones heard where the server does not say. */
  async learn() {
    try {
      this.#counts = (await get(this.#path)).counts
    } catch {
      // The last ones will do.
    }
    return this.#counts
  }

  /** Bytes that have come whole, as far as is known. */
  get fetchedBytes() {
    return this.#counts?.fetchedBytes ?? 0
  }

  /** Bytes fetched and never shown, over all bytes fetched; NaN before any came. */
  get waste() {
    const { wastedBytes, fetchedBytes } = this.#counts ?? {}
    return fetchedBytes ? Math.min(1, wastedBytes / fetchedBytes) : NaN
  }

  /** Ends the session; the pictures stay on show. */
  close() {
    this.#turn += 1
    this.#channel.close()
    if (this.#path) navigator.sendBeacon(address(`${this.#path}/close`))
    this.#path = this.#sender = null
  }

  #lead(move) {
    this.#isLed = true
    move()
    this.#isLed = false
  }
}
