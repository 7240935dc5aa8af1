// One side of a race: a grid with its own cold session, scrolled by the race or by the person.

import { LineUse } from './line-use.js'
import { Grid } from '../grid/grid.js'
import { GridLayout } from '../layout/grid-layout.js'
import { normalized } from '../layout/sections.js'
import { ScrollPhases } from '../scroll/scroll-phases.js'
import { Scroller } from '../scroll/scroller.js'
import { address, get, post } from '../session/api.js'
import { EventChannel } from '../session/event-channel.js'
import { postFromWorker } from '../session/post-from-worker.js'
import { RecordFeed } from '../session/record-feed.js'
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
  #hasPlaceholders = false // only if the program that the policy imitates shows placeholders
  tally = new Tally()
  /** The latest measurement: scroll position in px, number of visible cells, and the blank items among them. */
  seen = { top: 0, cells: 0, blank: [] }
  line = new LineUse() // the session's use of its network
  /** The session's record, if the pane has a waterfall. */
  feed = new RecordFeed(() => {})
  #isRecorded
  #lost
  #path = null // of the session, or null
  /** @type {ViewportSender | null} */
  #sender = null // sends the scroll position
  #counts = null // the session's latest fetch counts
  #turn = 0 // incremented with every session, so that one that opens too late is closed
  #isLed = false // the race is scrolling, not the person
  #greeted = (_) => {} // resolves `open`
  #channel

  /**
   * `root` contains the view. `scrolled(pane, top, phase)` is called when the person scrolls. `lost(reason)` is called when the session
   * ends, without a reason if the server cannot be reached.
   */
  constructor(root, { scrolled, lost }) {
    this.root = root
    this.view = root.querySelector('.view')
    this.#lost = lost
    this.#isRecorded = root.querySelector('.waterfall') !== null
    this.#channel = new EventChannel(['hello', 'thumbnail', 'failed', 'stats', 'bye', ...(this.#isRecorded ? ['record'] : [])], {
      received: (name, data) => this.#received(name, data),
      lost: () => this.#lost(), // pictures that arrive after a reconnection would count as blank
    })
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
    this.#placeholders.arrived = (range) => this.grid.learn(range)
  }

  /**
   * Opens a cold session with `wishes` (`policy`, `prefetching`, and `share` or `cold`). Resolves when its event stream begins. The
   * pictures arrive later. `blurs`: whether to show blurs if the policy has them.
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
    if (turn !== this.#turn) return void navigator.sendBeacon(address(`${path}/close`)) // closed, or opened again
    this.#path = path
    if (this.#isRecorded) this.feed.begin(path)
    this.#sender = new ViewportSender((sample) => postFromWorker(`${path}/viewport`, sample).catch(() => null), () => {})
    await new Promise((resolve) => {
      this.#greeted = resolve
      this.#channel.open(address(`${path}/events`))
    })
  }

  #received(name, data) {
    if (name === 'hello') this.#greeted(data)
    else if (name === 'thumbnail') {
      this.thumbnails.receive(data)
      this.grid.arrived(data.item)
    } else if (name === 'failed') {
      this.thumbnails.fail(data)
      this.grid.cell(data.item)?.refresh()
    } else if (name === 'record') this.feed.received(data)
    else if (name === 'stats') {
      this.#counts = data.counts
      this.line.add(data)
    } else this.#lost(data.reason)
  }

  /** Removes all pictures, so that only those loaded for the next race are shown. */
  empty() {
    this.thumbnails.clear()
    this.#placeholders.clear()
    this.grid.forget()
    this.grid.render()
  }

  /** Scrolls to a position and reports it to the server. */
  scroll(top, phase) {
    this.#lead(() => this.scroller.jump(top))
    this.reportPosition(phase)
  }

  reportPosition(phase) {
    this.#sender?.offer({ time: performance.now(), scrollTop: this.scroller.top, phase })
  }

  get visible() {
    const { top, height } = this.scroller
    return this.layout.items(top, top + height)
  }

  get blank() {
    return this.thumbnails.lacking(this.visible)
  }

  /** Restarts the measurement of the network's use. */
  watchLine() {
    this.line = new LineUse()
  }

  /** Measures the visible cells. They count from `now` (ms) until the next call. */
  measure(now) {
    const { visible: { from, to }, blank } = this
    const empty = this.#hasPlaceholders ? blank.filter((item) => !this.#placeholders.hash(item)) : blank
    const { top } = this.scroller
    this.seen = { top, cells: to - from, blank }
    this.tally.frame(now, { cells: to - from, blank: blank.length, empty: empty.length, top })
    const { record } = this.feed
    if (this.#isRecorded) record.add({ t: now - record.start, y: top, visible: to - from, blank: blank.length })
  }

  /** Shows the pane as measured in `seen` at an earlier moment. Call this only after the session was closed. */
  show({ top, blank }) {
    for (const item of blank) this.thumbnails.held.delete(item)
    this.#lead(() => this.scroller.jump(top))
    for (const cell of this.grid.cells()) {
      const { item } = cell
      cell.forget()
      cell.assign(item, true)
    }
  }

  /** Requests the visible missing pictures again. */
  remind() {
    const missing = this.blank
    if (missing.length) this.#sender?.offer({ time: performance.now(), scrollTop: this.scroller.top, phase: 'idle' }, missing)
  }

  /** Loads the session's current counts. Returns the latest known ones if the request fails. */
  async learn() {
    try {
      this.#counts = (await get(this.#path)).counts
    } catch {
      // Use the latest known counts.
    }
    return this.#counts
  }

  /** Bytes of completed downloads, as far as known. */
  get fetchedBytes() {
    return this.#counts?.fetchedBytes ?? 0
  }

  /** Share of the fetched bytes that was never shown. NaN if nothing has been fetched. */
  get waste() {
    const { wastedBytes, fetchedBytes } = this.#counts ?? {}
    return fetchedBytes ? Math.min(1, wastedBytes / fetchedBytes) : NaN
  }

  /** Ends the session. The pictures stay visible. */
  close() {
    this.#turn += 1
    this.#channel.close()
    if (this.#path) navigator.sendBeacon(address(`${this.#path}/close`))
    this.#path = this.#sender = null
    this.feed.path = ''
  }

  #lead(move) {
    this.#isLed = true
    move()
    this.#isLed = false
  }
}
