// What the page and its session say to each other: a scroll becomes a post, an event becomes a picture in its cell.

import { sessionRequest } from '../boot.js'
import { Controls } from '../header/controls.js'
import { Connection } from '../session/connection.js'
import { SessionUpdates } from '../session/session-updates.js'
import { ViewportSender } from '../session/viewport-sender.js'
import { ThumbnailDelivery } from '../thumbnails/delivery.js'
import { MissingWatch } from '../thumbnails/missing-watch.js'

const byId = (id) => document.getElementById(id)

export class PageSession {
  connection
  /** Positions on their way to the server. */
  sender = new ViewportSender((sample) => this.connection.send('viewport', sample), (plan) => this.#planned(plan))
  /** Changes of layout and window on their way. */
  updates = new SessionUpdates(this.sender, {
    send: (changes) => this.connection.change(changes),
    settle: () => this.#page.pageLayout.settle(this.connection.path),
    told: () => this.post('idle', true),
  })
  controls
  /** What has come and what has failed. */
  delivery
  /** Asks again for what stays blank. */
  missing
  #page
  #requested = null // what the session was asked to be: `{viewport, layout}`

  /** @param {import('./page.js').Page} page */
  constructor(page, opening) {
    this.#page = page
    const { state, pageLayout, scroller } = page
    this.controls = new Controls(byId, {
      change: (changes) => this.#change(changes),
      changeLayout: (kind) => pageLayout.change({ kind }),
    })
    this.delivery = new ThumbnailDelivery({
      thumbnails: state.thumbnails, prefetchState: state.prefetchState, grid: page.grid,
      visible: () => page.visible,
      report: () => page.report(),
      tell: (trouble) => page.notice.thumbnails(trouble),
      ask: (item) => this.sender.offer({ time: performance.now(), scrollTop: scroller.top, phase: 'idle' }, [item]),
    })
    this.missing = new MissingWatch({
      lacking: () => this.connection.live && state.thumbnails.lacking(page.visible).length,
      ask: () => this.post('idle', true),
    })
    this.connection = new Connection({
      describe: () => this.#describe(),
      state: (name, error) => this.#connectionChanged(name, error),
      opened: (session) => this.#opened(session),
      reopened: () => this.#attend(),
      event: (name, data) => this.#heard(name, data),
    }, opening)
  }

  /** Posts where the page is; with `everything` also what it lacks. */
  post(phase, everything = false) {
    const { pageLayout, scroller, state, visible } = this.#page
    if (!pageLayout.layout || !this.connection.session) return
    this.sender.offer({ time: performance.now(), scrollTop: scroller.top, phase }, everything ? state.thumbnails.lacking(visible) : [])
    if (everything) this.missing.watch()
  }

  async #describe() {
    const { currentGallery, pageLayout, scroller, state } = this.#page
    await currentGallery.choose()
    this.#requested = { viewport: pageLayout.viewport, layout: pageLayout.options }
    // A server that starts where the page is does not fetch the beginning for nobody.
    const where = state.opensAt ? { anchor: state.opensAt } : { scrollTop: scroller.top }
    return sessionRequest({ gallery: state.gallery, ...this.#requested, where, wishes: this.controls.wishes })
  }

  async #change(changes) {
    const session = await this.connection.change(changes)
    if (session) this.controls.show(session)
  }

  #connectionChanged(name, error) {
    const { status, notice } = this.#page
    status.connection(name)
    notice.connection(name, error)
    if (name === 'reconnecting') status.say('Connection lost, reconnecting')
  }

  async #opened(session) {
    const { pageLayout, state, lazy } = this.#page
    document.documentElement.dataset.session = session.id // for scripts that drive this page
    state.prefetchState.reset()
    lazy.dashboard.now?.listen()
    this.controls.show(session)
    // The window may have changed while the session was being made.
    const { viewport, layout } = this.#requested
    if (layout !== pageLayout.options || viewport.width !== pageLayout.width || viewport.height !== pageLayout.height) {
      return this.updates.add({ viewport: pageLayout.viewport, layout: pageLayout.options })
    }
    await pageLayout.settle(this.connection.path)
    this.#attend()
    this.#page.learn()
  }

  /** The server knows what it has sent, and sends the rest: only what is lacking after a while is asked for by name. */
  #attend() {
    this.post('idle')
    this.missing.watch()
  }

  #heard(name, data) {
    if (name === 'thumbnail') this.delivery.received(data)
    else if (name === 'failed') this.delivery.failed(data)
    else if (name === 'plan') this.#planned(data)
    else if (name === 'scroll') this.#led(data)
    else if (name === 'hello') this.controls.show(data)
    else if (name === 'layout') this.#page.pageLayout.outdate()
    else if (name === 'gallery') this.connection.open() // its items have changed; this session keeps the old ones
  }

  #planned(plan) {
    const { state } = this.#page
    state.prefetchState.take(plan, state.thumbnails)
    this.#page.report()
  }

  /** The server moved the viewport; the page follows. */
  async #led({ scrollTop, animated }) {
    const { phases, scroller, isStill } = this.#page
    phases.note('jump')
    if (animated && !isStill) {
      await scroller.glide(scrollTop)
      this.post('jump')
    } else scroller.jump(scrollTop)
  }
}
