// Connects the gallery with its session: a scroll becomes a post, an event becomes a picture in its cell.

import { sessionRequest } from '../layout/layout-options.js'
import { networkInAddress } from '../page/address-bar.js'
import { get } from '../session/api.js'
import { Connection } from '../session/connection.js'
import { SessionUpdates } from '../session/session-updates.js'
import { ViewportSender } from '../session/viewport-sender.js'
import { ThumbnailDelivery } from '../thumbnails/delivery.js'
import { MissingWatch } from '../thumbnails/missing-watch.js'

const REFRESH = 5000 // ms for which a newer state of the gallery is waited for

/**
 * @typedef {object} SessionControls What a person, or a host page, asks of the session, and what it says.
 * @property {{policy?: string, prefetching?: boolean}} wishes
 * @property {string} layout The kind of layout.
 * @property {(gallery: {source: string}) => string} [layoutOf] The kind of layout for a gallery.
 * @property {(session: any) => void} show
 */

export class GallerySession {
  connection
  /** Positions on their way to the server. */
  sender = new ViewportSender((sample) => this.connection.send('viewport', sample), (plan) => this.#planned(plan))
  /** Changes of layout and window on their way. */
  updates = new SessionUpdates(this.sender, {
    send: (changes) => this.connection.change(changes),
    settle: () => this.#view.pageLayout.settle(this.connection.path),
    told: () => this.post('idle', true),
  })
  /** @type {SessionControls} */
  controls
  /** Pictures that came and those that failed. */
  delivery
  /** Asks again for what stays blank. */
  missing
  #view
  #viewing = null // the item that is open in the viewer
  #told = '' // the session that knows of it, and the item
  #isTelling = false
  #isUnchecked = false // it may have changed meanwhile
  #isOutdated = false // the gallery has changed since the session began
  #hasAskedAgain = false // for what the session shows, which was not what the page had
  #requested = null // what the session was asked to be: `{viewport, layout}`

  /**
   * @param {import('./gallery-view.js').GalleryView} view
   * @param opening A session that was asked for before, or null.
   * @param {{signal?: AbortSignal, source?: (address: string) => EventSource}} options As of `EventChannel`.
   */
  constructor(view, opening, options) {
    this.#view = view
    const { state, pageLayout, scroller } = view
    this.controls = view.makeControls({
      change: (changes) => this.#change(changes),
      changeLayout: (kind) => pageLayout.change({ kind }),
    })
    this.delivery = new ThumbnailDelivery({
      thumbnails: state.thumbnails, placeholders: state.placeholders, prefetchState: state.prefetchState, grid: view.grid,
      visible: () => view.visible,
      report: () => view.report(),
      notify: (trouble) => view.notice.thumbnails(trouble),
      isConnected: () => this.connection.live,
      inquire: () => this.#inquire(),
      ask: (item) => this.sender.offer({ time: performance.now(), scrollTop: scroller.top, phase: 'idle' }, [item]),
    })
    this.missing = new MissingWatch({
      lacking: () => this.connection.live && state.thumbnails.lacking(view.visible).length,
      ask: () => this.post('idle', true),
    })
    this.connection = new Connection({
      describe: (isAgain) => this.#describe(isAgain),
      state: (name, error) => this.#connectionChanged(name, error),
      opened: (session) => this.#opened(session),
      reopened: () => this.#resume(),
      event: (name, data) => this.#heard(name, data),
      isAwaiting: () => state.thumbnails.lacking(view.visible).length > 0,
    }, opening, options)
  }

  /** Ends for good: the server lets go of all that was wanted. */
  end() {
    this.missing.stop()
    this.connection.close()
  }

  /** Posts where the gallery is; with `everything` also what it lacks. */
  post(phase, everything = false) {
    const { pageLayout, scroller, state, visible } = this.#view
    if (phase !== 'idle') this.connection.moved()
    if (!pageLayout.layout || !this.connection.session) return
    this.sender.offer({ time: performance.now(), scrollTop: scroller.top, phase }, everything ? state.thumbnails.lacking(visible) : [])
    if (everything) this.missing.watch()
  }

  /** Why the server waits with the pictures in sight, `{reason, retryAfter}`; undefined if it does not, or does not say. */
  async #inquire() {
    try {
      return (await get(this.connection.path)).paused
    } catch {
      return undefined // the connection notices if the server is gone
    }
  }

  /** Requests the pictures in sight again, even if their host is paused. */
  async retry() {
    await this.connection.change({ retry: true })
    this.delivery.retryAll()
  }

  /** Tells those who follow which picture is open, null for none: one word at a time, and the latest for certain. */
  async view(item) {
    this.#viewing = item
    if (this.#isTelling) return
    this.#isTelling = true
    while (this.connection.session && this.#told !== this.#word) {
      const word = this.#word
      const isTaken = await this.connection.change({ viewing: this.#viewing })
      if (isTaken) this.#told = word
      else if (word === this.#word) break // told again when the session is back
    }
    this.#isTelling = false
  }

  get #word() {
    return `${this.connection.session?.id} ${this.#viewing}`
  }

  /** `isAgain`: for the gallery as it is here; whether it has changed is asked when there is a session. */
  async #describe(isAgain) {
    const { currentGallery, pageLayout, scroller, state } = this.#view
    this.#isUnchecked = isAgain
    if (!isAgain) await currentGallery.choose()
    if (!state.gallery) return null // a later choice is on its way
    this.#requested = { viewport: pageLayout.viewport, layout: pageLayout.options }
    // A server that starts where the page is does not fetch the beginning for nobody.
    const where = state.opensAt ? { anchor: state.opensAt } : { scrollTop: scroller.top }
    return sessionRequest({ gallery: state.gallery, ...this.#requested, where, name: this.#view.visitor, wishes: { ...this.controls.wishes, ...networkInAddress() } })
  }

  async #change(changes) {
    const session = await this.connection.change(changes)
    if (session) this.controls.show(session)
  }

  #connectionChanged(name, error) {
    const { status, notice } = this.#view
    status.connection(name)
    notice.connection(name, error)
    this.delivery.connectionChanged()
  }

  async #opened(session) {
    const { state, lazy, root } = this.#view
    root.dataset.session = session.id // for scripts that drive this page
    state.prefetchState.reset()
    this.updates.forget()
    this.#view.opened()
    if (lazy.viewer.now?.isOpen) this.view(lazy.viewer.now.item)
    this.controls.show(session)
    // The gallery may have changed, too. Two servers may take a while to agree on it.
    const isAnother = session.itemCount !== state.itemCount
    if (isAnother && !this.#hasAskedAgain) this.#outdate()
    this.#hasAskedAgain = isAnother
    await this.#settle()
    if (this.#isUnchecked) this.rested()
  }

  /** The session shows what the page shows, from here on. */
  async #settle() {
    const { pageLayout } = this.#view
    // The window may have changed while the session was being made.
    const { viewport, layout } = this.#requested
    if (layout !== pageLayout.options || viewport.width !== pageLayout.width || viewport.height !== pageLayout.height) {
      return this.updates.add({ viewport: pageLayout.viewport, layout: pageLayout.options })
    }
    await pageLayout.settle(this.connection.path)
    this.#attend()
    this.#view.learn()
  }

  /** There is a stream again. */
  #resume() {
    this.updates.again()
    if (this.#told) this.view(this.#viewing)
    this.#attend()
  }

  /** Shows the gallery as it is now, where it has changed while there was no server: the session alone does not tell. */
  async #check() {
    this.#isUnchecked = false
    const { currentGallery, state } = this.#view
    const { gallery } = state
    try {
      await currentGallery.choose()
    } catch {
      return // the connection says why, and the next session asks
    }
    const { session } = this.connection
    if (state.gallery === gallery || !session) return
    if (session.itemCount === state.itemCount) this.#settle()
    else this.#outdate()
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
    else if (name === 'hello') this.#greeted(data)
    else if (name === 'followers') this.#view.followed(data)
    else if (name === 'layout') this.#view.pageLayout.outdate()
    else if (name === 'gallery') this.#outdate()
  }

  /** The stream begins: who follows is told next. */
  #greeted(data) {
    this.#view.followed({ count: 0, names: [] })
    this.controls.show(data)
  }

  /** The gallery's items have changed, or their order; this session keeps the old ones until nothing moves under a hand. */
  #outdate() {
    this.#isOutdated = true
    if (!this.#view.isTouched) this.rested()
  }

  /** Shows the gallery as it is on the server now. Resolves when that is in place, or has not come within some seconds. */
  async refresh() {
    const { state } = this.#view
    const before = state.gallery
    this.connection.open()
    const end = performance.now() + REFRESH
    while (state.gallery === before && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  /** The content rests: the time to show what has changed. */
  rested() {
    if (this.#view.isTouched) return
    if (this.#isOutdated) {
      this.#isOutdated = false
      this.connection.open()
    } else if (this.#isUnchecked && this.connection.session) this.#check()
  }

  #planned(plan) {
    const { state } = this.#view
    state.prefetchState.take(plan, state.thumbnails)
    this.#view.report()
  }

  /** The server moved the viewport; the page follows. */
  async #led({ scrollTop, animated }) {
    const { phases, scroller, isStill } = this.#view
    phases.note('jump')
    if (animated && !isStill) {
      await scroller.glide(scrollTop)
      this.post('jump')
    } else scroller.jump(scrollTop)
  }
}
