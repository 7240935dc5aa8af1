// The page: the gallery in its address, and the controls around the gallery.

import { DateOffer } from '../arrange/date-turn.js'
import { opening, presenterName, wide } from '../boot.js'
import { GalleryView } from '../gallery/gallery-view.js'
import { addressOf } from '../grid/cell-link.js'
import { Controls } from '../header/controls.js'
import { Header } from '../header/header.js'
import { PagingKeys } from '../keys/paging-keys.js'
import { Density } from '../layout/density.js'
import { address } from '../session/api.js'
import { watchersInWords } from '../sharing/watchers.js'
import { parameter, placeInAddress, rememberPlace, setParameters } from './address-bar.js'
import { addressChoice } from './address-choice.js'
import { LazyParts } from './lazy-parts.js'

const byId = (id) => document.getElementById(id)

export class Page extends GalleryView {
  header = new Header(byId)
  /** @override */
  lazy = new LazyParts(this)
  density
  choice
  /** @type {import('../sharing/watchers.js').Audience} */
  audience = { followers: [] }
  #offer
  #hasMoved = false

  constructor() {
    const choice = addressChoice({
      disconnect: () => this.session.connection.close(),
      isMoved: () => this.#isMoved,
      offer: (isOffered) => this.#offer.show(isOffered),
    })
    super({
      find: byId, root: document.documentElement, surface: window, wide, enter, address: (item) => addressOf(item, this.state.identity(item).id), choice,
      unfilter: () => this.lazy.arranging.get().then((arranging) => arranging.unfilter(), () => {}),
    }, opening)
    this.choice = choice
    this.#offer = new DateOffer(byId('offer'), {
      accept: () => this.lazy.arranging.get().then((arranging) => arranging.change({ sort: 'taken' }), () => {}),
      decline: () => choice.chosen(),
      say: (text) => this.say(text),
    })
    this.density = new Density(byId('density'), byId('scroller'), (size, item, y) => {
      const anchor = item === undefined ? this.pageLayout.anchor() : this.pageLayout.anchorAt(item, y - byId('scroller').getBoundingClientRect().top)
      this.pageLayout.change({ density: size }, anchor)
    })
    this.pageLayout.density = this.density.value
    this.narrow = {
      isOffered: () => this.lazy.arranging.now?.isOffered ?? false,
      to: (filter) => this.lazy.arranging.now?.change({ filter }),
    }
    new PagingKeys(this.scroller, { pressed: (at) => this.phases.note('keyboard', at) })
    byId('skip').addEventListener('click', (event) => {
      event.preventDefault()
      this.keyboard.focus(this.keyboard.active)
    })
  }

  /** @override */
  makeControls(changes) {
    return new Controls(byId, changes)
  }

  /** @override */
  get visitor() {
    return presenterName()
  }

  /** @override */
  followed(followers) {
    const watched = byId('watched')
    const text = watchersInWords(followers)
    if (text && watched.textContent !== text) this.say(text)
    watched.textContent = text
    watched.hidden = !text
    if (!followers.count) this.attended({ followers: [] })
  }

  /** @override */
  attended(audience) {
    this.audience = audience
    this.scrubber.setFollowers(audience.followers)
  }

  /** @override */
  begun() {
    this.lazy.arranging.now?.begin()
  }

  /** @override */
  renumbered() {
    this.#rememberPlace()
  }

  /** @override */
  async learn() {
    await super.learn()
    // The id of the picture in the address may be known now.
    if (!this.pageLayout.moving && parameter('item') !== null && parameter('item-id') === null) this.#rememberPlace()
  }

  #rememberPlace() {
    const anchor = this.pageLayout.anchor()
    rememberPlace(anchor, anchor ? this.state.identity(anchor.item).id : undefined)
  }

  /** @override */
  opened() {
    const { itemCount, base } = this.state
    // In a folder that is still being read the item may be added later.
    if (base.source !== 'folder' && itemCount && Number(parameter('item')) >= itemCount) setParameters({ item: itemCount - 1 })
    this.followed({ count: 0, names: [] }) // followers of the last session
    this.lazy.dashboard.now?.listen()
    this.lazy.sharing.now?.listen()
  }

  /** @override */
  hinted(hint) {
    super.hinted(hint)
    this.lazy.sharing.now?.foresaw(hint)
  }

  /** @override */
  async notify(text) {
    const sharing = await this.lazy.sharing.get()
    sharing.notify(text)
  }

  /** @override */
  laidOut(layout, top) {
    super.laidOut(layout, top)
    this.lazy.sharing.now?.laidOut(this.pageLayout, this.state.gallery)
  }

  /** @override */
  phase(movement) {
    const { now: sharing } = this.lazy.sharing
    const phase = sharing?.phase ?? super.phase(movement)
    sharing?.took(phase)
    return phase
  }

  /** Whether the person has scrolled, opened a picture, or opened the page at a position in the gallery. */
  get #isMoved() {
    const { viewer } = this.lazy
    return this.#hasMoved || this.keyboard.active > 0 || placeInAddress(this.state.itemCount) !== null
      || (viewer.now?.isOpen ?? false)
  }

  /** @override */
  moved(movement) {
    super.moved(movement)
    this.#hasMoved ||= movement.delta !== 0
    this.header.moved(movement.delta, this.scroller.top)
    this.lazy.dashboard.now?.moved()
  }

  /** @override */
  stopped() {
    this.lazy.sharing.now?.took('idle')
    super.stopped()
    this.#rememberPlace()
  }
}

/** Reloads the page with a token. The server stores the token in a cookie and redirects to the address without it. */
function enter(token) {
  const url = new URL(location.href)
  url.searchParams.set('token', token)
  location.assign(address(`.${url.search}`))
}
