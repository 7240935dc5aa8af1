// The content of the element `<lookahead-gallery>` in another site's page. This module loads from the server that has the gallery.

import { arrangementIn } from '../arrange/arrangement.js'
import { GalleryParts } from '../gallery/gallery-parts.js'
import { GalleryView } from '../gallery/gallery-view.js'
import { densityIn, kindIn } from '../layout/layout-options.js'
import { address, APIError, enter, get } from '../session/api.js'
import { JoinedStreams } from '../session/joined-streams.js'
import { noHistory } from '../viewer/viewer-history.js'
import { furnish, loadParts } from './parts.js'
import { isShown, RoomBeside } from './room-beside.js'

const joined = new JoinedStreams(address('api/v1/sessions'))

/**
 * @typedef {object} Wishes The element's attributes; null for each that is not set.
 * @property {string | null} gallery Id of a gallery; null for the server's only one.
 * @property {string | null} layout grid, justified or masonry
 * @property {string | null} size 0 (small) to 5 (large)
 * @property {string | null} policy
 * @property {string | null} arrangement As in the address of the page: `sort=taken&group=month`.
 *
 * @typedef {object} Hooks
 * @property {() => Wishes} wishes Returns the current attributes.
 * @property {(picture: Picture) => boolean} opens Called when a person opens a picture; false if the host page shows it itself.
 * @property {(range: {from: number, to: number}) => void} sees Called when the visible items change, from ..< to.
 * @property {(ranges: readonly {from: number, to: number}[]) => void} selects Called when the selection changes.
 *
 * @typedef {object} Picture
 * @property {number} item Index in the gallery, from 0.
 * @property {string} title
 * @property {string} thumbnail Address of a version 640 px wide.
 * @property {string} image Address of a version 1600 px wide.
 * @property {string} original Address of the original file, for download.
 * @property {string} page Address of the server's own page with this picture open.
 */

export class EmbeddedGallery extends GalleryView {
  /** @override */
  lazy = new GalleryParts(this, noHistory)
  #hooks
  #seen = ''
  #abort
  #toast = 0

  /** Shows a gallery in a shadow tree. Resolves to the gallery, or to null if `signal` was aborted. */
  static async open(/** @type {ShadowRoot} */ tree, /** @type {Hooks} */ hooks, /** @type {AbortSignal} */ signal) {
    const parts = await loadParts()
    if (signal.aborted) return null
    const furnished = furnish(tree, parts)
    await isShown(furnished.stage)
    if (signal.aborted) return null
    const gallery = new EmbeddedGallery(furnished, hooks, signal)
    gallery.session.connection.open()
    for (const part of [gallery.lazy.hints, gallery.lazy.selection]) part.get().catch(() => {}) // the first use tries again
    import('../print/print.js').then(({ preparePrinting }) => preparePrinting(gallery, /** @type {HTMLElement} */ (tree.host))).catch(() => {})
    return gallery
  }

  constructor({ stage, find }, /** @type {Hooks} */ hooks, /** @type {AbortSignal} */ signal) {
    super({
      find, root: stage, surface: stage, wide: new RoomBeside(stage, signal), source: joined.source,
      enter: (token) => this.#enter(token),
      address: (item) => this.#pageOf(item),
      choice: {
        wanted: async (current) => ({ gallery: await wanted(hooks.wishes().gallery ?? current?.id) }),
        arrangement(base) {
          const { arrangement } = hooks.wishes()
          if (arrangement === null && base.defaultArrangement) return { filter: {}, ...base.defaultArrangement }
          return arrangementIn(new URLSearchParams(arrangement ?? ''))
        },
        find: async () => {},
        place: () => null,
        opensAt: () => null,
        keepPlain() {},
        show: ({ title }) => find('grid').setAttribute('aria-label', title),
      },
    })
    this.#hooks = hooks
    this.#abort = signal
    this.pageLayout.density = densityIn(hooks.wishes().size)
    this.session.controls.wishes = wishesOf(hooks.wishes())
    this.pageLayout.kind = kindIn(hooks.wishes().layout)
    find('viewer').querySelector('img').crossOrigin = 'use-credentials'
    signal.addEventListener('abort', () => {
      this.lazy.viewer.now?.close()
      this.end()
    })
  }

  /** Applies a changed attribute of the element. */
  change(/** @type {keyof Wishes} */ name) {
    const wishes = this.#hooks.wishes()
    if (name === 'layout') this.pageLayout.change({ kind: kindIn(wishes.layout) })
    else if (name === 'size') this.pageLayout.change({ density: densityIn(wishes.size) })
    else if (name === 'policy') {
      this.session.controls.wishes = wishesOf(wishes)
      this.session.connection.change({ policy: wishes.policy ?? 'lookahead' })
    } else this.reload()
  }

  reload() {
    this.lazy.viewer.now?.close()
    this.session.connection.open()
  }

  /** Scrolls to an item. Resolves when the item is visible, or immediately if it does not exist. */
  async scrollTo(/** @type {number} */ item, /** @type {ScrollBehavior} */ behavior = 'auto') {
    if (!Number.isInteger(item) || item < 0 || item >= this.state.itemCount) return
    this.phases.note('jump')
    const isSmooth = behavior === 'smooth' && !this.isStill
    await this.pageLayout.scrollTo(item, { isSmooth })
    if (isSmooth) this.session.post('jump')
    this.keyboard.active = item
  }

  /** @override */
  open(item, cell) {
    if (this.#hooks.opens(this.#picture(item))) super.open(item, cell)
  }

  /** @override */
  selected(ranges) {
    this.#hooks.selects(ranges)
  }

  /** @override */
  laidOut(layout, top) {
    super.laidOut(layout, top)
    this.#see()
  }

  /** @override */
  moved(movement) {
    super.moved(movement)
    this.#see()
  }

  /** @override */
  notify(text) {
    this.say(text)
    const note = this.find('note')
    note.textContent = text
    note.hidden = false
    clearTimeout(this.#toast)
    this.#toast = setTimeout(() => (note.hidden = true), 5000)
  }

  #see() {
    const { from, to } = this.pageLayout.inSight()
    const seen = `${from} ${to}`
    if (seen === this.#seen) return
    this.#seen = seen
    this.#hooks.sees({ from, to })
  }

  async #enter(token) {
    const isRight = await enter(token).catch(() => false)
    if (this.#abort.aborted) return
    if (isRight) this.session.connection.open()
    else this.notify('That token isn’t right.')
  }

  #pageOf(item) {
    const { gallery, arrangement } = this.#hooks.wishes()
    const parameters = new URLSearchParams(arrangement ?? '')
    parameters.set('gallery', gallery ?? this.state.base.id)
    parameters.set('view', item)
    const { id } = this.state.identity(item)
    if (id) parameters.set('view-id', id)
    return address(`.?${parameters}`)
  }

  /** @returns {Picture} */
  #picture(item) {
    const of = (/** @type {string} */ what, /** @type {Record<string, string>} */ query = {}) => address(this.state.path(item, what, query))
    return {
      item, title: this.state.name(item), page: this.#pageOf(item), original: of('original'),
      thumbnail: of('thumbnail', { width: '640' }), image: of('image', { width: '1600' }),
    }
  }
}

const wishesOf = ({ policy }) => (policy ? { policy } : {})

/** Resolves to the gallery with an id, or to the only one. Throws an APIError if there are several or none. */
async function wanted(id) {
  if (id) return get(`api/v1/galleries/${encodeURIComponent(id)}`)
  const galleries = (await get('api/v1/galleries')).galleries.filter(({ of }) => !of)
  if (galleries.length === 1) return galleries[0]
  throw new APIError(404, { detail: galleries.length ? 'This server has several galleries. Name one in the gallery attribute.' : 'There are no galleries yet.' })
}
