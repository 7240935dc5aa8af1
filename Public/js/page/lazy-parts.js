// The parts of the page that the first screen does not need. Each is loaded on first use, and all of them once the session has been
// requested.

import { GalleryParts } from '../gallery/gallery-parts.js'
import { toggleFullScreen } from '../header/header.js'
import { parameter, setParameters } from './address-bar.js'
import { LazyPart } from './lazy-part.js'

const byId = (id) => document.getElementById(id)

export class LazyParts extends GalleryParts {
  dashboard = new LazyPart(async () => {
    const { Dashboard } = await import('../dashboard/dashboard.js')
    return new Dashboard(byId('dashboard'), byId('dashboard-toggle'), byId('status'), () => this.#scene, this.#page)
  })
  sharing = new LazyPart(async () => {
    const { ScrollSharing } = await import('../sharing/scroll-sharing.js')
    const { state, pageLayout } = this.#page
    const sharing = new ScrollSharing(this.#page)
    if (pageLayout.layout) sharing.laidOut(pageLayout, state.gallery)
    return sharing
  })
  arranging = new LazyPart(async () => {
    const { Arranging } = await import('../arrange/arranging.js')
    return new Arranging(this.#page)
  })
  #page

  /** @param {import('./page.js').Page} page */
  constructor(page) {
    super(page)
    this.#page = page
    document.querySelector('[data-part="compare"]').addEventListener('click', () => this.#compare('recorded'))
    byId('dashboard-toggle').addEventListener('click', () => this.#toggleDashboard())
    byId('race-open').addEventListener('click', () => this.#compare('wheel'))
    for (const id of ['record', 'save', 'share']) byId(id).addEventListener('click', (event) => this.#pressed(event), { capture: true })
    addEventListener('drop', (event) => this.#dropped(event))
    addEventListener('keydown', (event) => this.#keyDown(event))
  }

  /** Presses a button again once its part has loaded. */
  #pressed(event) {
    if (this.sharing.now) return
    event.stopImmediatePropagation()
    const button = event.currentTarget
    this.sharing.get().then(() => button.click(), () => {})
  }

  /** Plays a dropped trace, once the player has loaded. */
  #dropped(event) {
    const file = event.dataTransfer?.files[0]
    if (!file) return
    event.preventDefault()
    this.sharing.get().then((sharing) => sharing.play(file), () => {})
  }

  /** Opens the gallery, or the race if the address names one, and loads the parts. */
  async open() {
    const { state, session } = this.#page
    if (parameter('dashboard') !== null) await this.#toggleDashboard().catch(() => {}) // first, since it takes room from the pictures
    if (parameter('race') === null) session.connection.open()
    else if (!(await this.#openRace())) session.connection.open()
    import('../print/print.js').then(({ preparePrinting }) => preparePrinting(this.#page, document.documentElement)).catch(() => {})
    import('../galleries/switcher.js').then(({ offerGalleries }) => offerGalleries(byId('galleries-open'), byId('galleries'), () => state.base)).catch(() => {})
    const parts = [this.hints, this.arranging, this.selection, this.sharing, this.viewer, this.dashboard]
    const loaded = Promise.all(parts.map((part) => part.get().catch(() => {}))) // the first use tries again
    import('../story/first-visit.js').then(({ showStory }) => showStory(this.#page, loaded)).catch(() => {})
  }

  /** The state that the dashboard draws; null until there is a layout. */
  get #scene() {
    const { audience, pageLayout, scroller, scrubber, state, visible } = this.#page
    const { thumbnails, prefetchState, itemCount } = state
    const { layout } = pageLayout
    return layout && { layout, scroller, scrubber, thumbnails, prefetchState, visible, itemCount, audience }
  }

  /** Opens a race of the same scroll without and with prefetching. */
  #compare(trace) {
    this.#openRace({ race: 'lookahead:off,lookahead', trace })
  }

  /** Opens the race of `parameters`, or of the address. Resolves to whether its code could be loaded. If not, offers to retry. */
  async #openRace(parameters = null) {
    try {
      const [sharing] = await Promise.all([this.sharing.get(), import('../race/race.js')])
      if (parameters) setParameters(parameters, { push: true, state: { ...history.state, covered: 'race' } })
      sharing.openRace()
      return true
    } catch {
      offerRetry(() => this.#openRace(parameters))
      return false
    }
  }

  async #toggleDashboard() {
    const dashboard = await this.dashboard.get()
    dashboard.toggle()
  }

  #keyDown(event) {
    const isField = event.target.closest?.('select, dialog, input:not([type=radio], [type=range], [type=checkbox])')
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'd') this.#toggleDashboard()
    else if (event.key === 'f') toggleFullScreen()
    else if (event.key === '?') byId('keys-open').click()
  }
}

/** Shows that the server cannot be reached. Calls `again()` if the person presses Retry. */
function offerRetry(again) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('unreachable'))
  dialog.onclose = () => dialog.returnValue === 'retry' && again()
  dialog.returnValue = ''
  if (!dialog.open) dialog.showModal()
}
