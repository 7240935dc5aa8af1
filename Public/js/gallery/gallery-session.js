// Connects the gallery with its session: posts scroll positions, and passes events to the parts that show them.

import { sessionRequest } from '../layout/layout-options.js'
import { networkInAddress } from '../page/address-bar.js'
import { get } from '../session/api.js'
import { Connection } from '../session/connection.js'
import { SessionUpdates } from '../session/session-updates.js'
import { ViewportSender } from '../session/viewport-sender.js'
import { ThumbnailDelivery } from '../thumbnails/delivery.js'
import { MissingWatch } from '../thumbnails/missing-watch.js'

const REFRESH = 5000 // maximum wait for a newer state of the gallery, in ms

/**
 * @typedef {object} SessionControls The choices of a person or a host page for the session, and the display of its state.
 * @property {{policy?: string, prefetching?: boolean}} wishes
 * @property {string} layout Kind of layout.
 * @property {(gallery: {source: string}) => string} [layoutOf] Returns the kind of layout for a gallery.
 * @property {(session: any) => void} show
 */

export class GallerySession {
  connection
  sender = new ViewportSender((sample) => this.connection.send('viewport', sample), (plan) => this.#planned(plan))
  updates = new SessionUpdates(this.sender, {
    send: (changes) => this.connection.change(changes),
    settle: () => this.#view.pageLayout.settle(this.connection.path),
    sent: () => this.post('idle', true),
  })
  /** @type {SessionControls} */
  controls
  delivery
  missing
  #view
  #viewing = null // item open in the viewer
  #reportedView = '' // last reported session and item, see `#currentView`
  #isReporting = false
  #isUnchecked = false // whether the gallery may have changed without notice
  #isOutdated = false // whether the gallery has changed since the session was opened
  #hasAskedAgain = false // whether the gallery was requested again because the session had another number of items
  #requested = null // the session's requested `{viewport, layout}`

  /**
   * @param {import('./gallery-view.js').GalleryView} view
   * @param opening A session that was requested before, or null.
   * @param {{signal?: AbortSignal, source?: (address: string) => EventSource}} options See `EventChannel`.
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
      ask: (item) => this.sender.offer({ time: performance.now(), scrollTop: scroller.home, phase: 'idle' }, [item]),
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
      event: (name, data) => this.#received(name, data),
      isAwaiting: () => state.thumbnails.lacking(view.visible).length > 0,
    }, opening, options)
  }

  /** Ends the session for good. The server cancels its work for it. */
  end() {
    this.missing.stop()
    this.connection.close()
  }

  /** Posts the scroll position; with `everything` also the visible items without a picture. */
  post(phase, everything = false) {
    const { pageLayout, scroller, state, visible } = this.#view
    if (phase !== 'idle') this.connection.moved()
    if (!pageLayout.layout || !this.connection.session) return
    this.sender.offer({ time: performance.now(), scrollTop: scroller.home, phase }, everything ? state.thumbnails.lacking(visible) : [])
    if (everything) this.missing.watch()
  }

  /** Resolves to the reason why the server has paused the visible pictures, `{reason, retryAfter}`; undefined if unpaused or unknown. */
  async #inquire() {
    try {
      return (await get(this.connection.path)).paused
    } catch {
      return undefined // the connection notices if the server is gone
    }
  }

  /** Requests the visible pictures again, even if their host is paused. */
  async retry() {
    await this.connection.change({ retry: true })
    this.delivery.retryAll()
  }

  /** Reports to followers which picture is open, null for none. Sends one message at a time and always ends with the latest item. */
  async view(item) {
    this.#viewing = item
    if (this.#isReporting) return
    this.#isReporting = true
    while (this.connection.session && this.#reportedView !== this.#currentView) {
      const current = this.#currentView
      const isTaken = await this.connection.change({ viewing: this.#viewing })
      if (isTaken) this.#reportedView = current
      else if (current === this.#currentView) break // reported again when the session is back
    }
    this.#isReporting = false
  }

  get #currentView() {
    return `${this.connection.session?.id} ${this.#viewing}`
  }

  /** Returns the body of a session request. `isAgain`: for the gallery on the page, without checking whether it has changed. */
  async #describe(isAgain) {
    const { currentGallery, pageLayout, scroller, state } = this.#view
    this.#isUnchecked = isAgain
    if (!isAgain) await currentGallery.choose()
    if (!state.gallery) return null // a later call of `choose` is in progress
    this.#requested = { viewport: pageLayout.viewport, layout: pageLayout.options }
    // With the page's position in the request, the server does not fetch the beginning without need.
    const where = state.opensAt ? { anchor: state.opensAt } : { scrollTop: scroller.home }
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
    root.dataset.session = session.id // for scripts that control this page
    state.prefetchState.reset()
    this.updates.forget()
    this.#view.opened()
    if (lazy.viewer.now?.isOpen) this.view(lazy.viewer.now.item)
    this.controls.show(session)
    // The gallery may have changed. Request it once only: two servers may disagree about it for a while.
    const isAnother = session.itemCount !== state.itemCount
    if (isAnother && !this.#hasAskedAgain) this.#outdate()
    this.#hasAskedAgain = isAnother
    await this.#settle()
    if (this.#isUnchecked) this.stopped()
  }

  /** Makes the session's layout and viewport equal to the page's. */
  async #settle() {
    const { pageLayout } = this.#view
    // The window may have changed while the server created the session.
    const { viewport, layout } = this.#requested
    if (layout !== pageLayout.options || viewport.width !== pageLayout.width || viewport.height !== pageLayout.height) {
      return this.updates.add({ viewport: pageLayout.viewport, layout: pageLayout.options })
    }
    await pageLayout.settle(this.connection.path)
    this.#attend()
    this.#view.learn()
  }

  /** Called when the event stream is back. */
  #resume() {
    this.updates.again()
    if (this.#reportedView) this.view(this.#viewing)
    this.#attend()
  }

  /** Shows the gallery's current state if it has changed while there was no connection. The new session does not report such a change. */
  async #check() {
    this.#isUnchecked = false
    const { currentGallery, state } = this.#view
    const { gallery } = state
    try {
      await currentGallery.choose()
    } catch {
      return // the connection shows the error, and the next session checks again
    }
    const { session } = this.connection
    if (state.gallery === gallery || !session) return
    if (session.itemCount === state.itemCount) this.#settle()
    else this.#outdate()
  }

  /** Posts the position. The server sends missing pictures on its own. Pictures still missing after a while are requested again. */
  #attend() {
    this.post('idle')
    this.missing.watch()
  }

  #received(name, data) {
    if (name === 'thumbnail') this.delivery.received(data)
    else if (name === 'failed') this.delivery.failed(data)
    else if (name === 'plan') this.#planned(data)
    else if (name === 'scroll') this.#led(data)
    else if (name === 'hello') this.#greeted(data)
    else if (name === 'followers') this.#view.followed(data)
    else if (name === 'audience') this.#view.attended(data)
    else if (name === 'layout') this.#view.pageLayout.outdate()
    else if (name === 'gallery') this.#outdate()
  }

  /** Called at the start of a stream. The number of followers arrives in a later event. */
  #greeted(data) {
    this.#view.followed({ count: 0, names: [] })
    this.controls.show(data)
  }

  /** Called when the gallery's items or their order have changed. The session keeps the old items until the person stops moving. */
  #outdate() {
    this.#isOutdated = true
    if (!this.#view.isTouched) this.stopped()
  }

  /** Loads the gallery's current state from the server. Resolves when the page shows it, or after `REFRESH` ms. */
  async refresh() {
    const { state } = this.#view
    const before = state.gallery
    this.connection.open()
    const end = performance.now() + REFRESH
    while (state.gallery === before && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  /** Called when scrolling has stopped. Shows changes of the gallery. */
  stopped() {
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

  /** Scrolls the page after the server has moved the viewport. */
  async #led({ scrollTop, animated }) {
    const { phases, scroller, isStill } = this.#view
    phases.note('jump')
    if (animated && !isStill) {
      await scroller.glide(scrollTop)
      this.post('jump')
    } else scroller.jump(scrollTop)
  }
}
