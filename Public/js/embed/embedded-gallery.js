// A gallery in the page of someone else: what the element `<lookahead-gallery>` shows. It comes from the server whose gallery it is.

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
 * @typedef {object} Wishes What the element's attributes say; null where one is not given.
 * @property {string | null} gallery The id of a gallery; the only one there is.
 * @property {string | null} layout grid, justified or masonry
 * @property {string | null} size 0 (small) to 5
 * @property {string | null} policy
 * @property {string | null} arrangement As in the address of the page: `sort=taken&group=month`.
 *
 * @typedef {object} Hooks
 * @property {() => Wishes} wishes What the element asks for now.
 * @property {(picture: Picture) => boolean} opens Told of a picture that a person opens; false where somebody else shows it.
 * @property {(range: {from: number, to: number}) => void} sees Told of the items in sight, from ..< to, when they change.
 * @property {(ranges: readonly {from: number, to: number}[]) => void} selects Told of what is selected, when it changes.
 *
 * @typedef {object} Picture
 * @property {number} item Its number in the gallery, from 0.
 * @property {string} title
 * @property {string} thumbnail Addresses: a picture of 640 px,
 * @property {string} image one of 1600 px,
 * @property {string} original the file itself, to be saved,
 * @property {string} page and the server's own page, open at it.
 */

export class EmbeddedGallery extends GalleryView {
  /** @override */
  lazy = new GalleryParts(this, noHistory)
  #hooks
  #seen = ''
  #abort
  #toast = 0

  /** Shows a gallery in a shadow tree. Resolves to it, or to null where it is not wanted any more (`signal`). */
  static async open(/** @type {ShadowRoot} */ tree, /** @type {Hooks} */ hooks, /** @type {AbortSignal} */ signal) {
    const parts = await loadParts()
    if (signal.aborted) return null
    const furnished = furnish(tree, parts)
    await isShown(furnished.stage)
    if (signal.aborted) return null
    const gallery = new EmbeddedGallery(furnished, hooks, signal)
    gallery.session.connection.open()
    for (const part of [gallery.lazy.hints, gallery.lazy.selection]) part.get().catch(() => {}) // tried again when it is wanted
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

  /** An attribute of the element has changed. */
  change(/** @type {keyof Wishes} */ name) {
    const wishes = this.#hooks.wishes()
    if (name === 'layout') this.pageLayout.change({ kind: kindIn(wishes.layout) })
    else if (name === 'size') this.pageLayout.change({ density: densityIn(wishes.size) })
    else if (name === 'policy') {
      this.session.controls.wishes = wishesOf(wishes)
      this.session.connection.change({ policy: wishes.policy ?? 'lookahead' })
    } else this.reload()
  }

  /** Asks for the gallery anew, as it is now. */
  reload() {
    this.lazy.viewer.now?.close()
    this.session.connection.open()
  }

  /** Scrolls to an item. Resolves when it is in sight, or there is none such. */
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
  tell(text) {
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
    else this.tell('That token isn’t right.')
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

/** The gallery of an id, or the only one. */
async function wanted(id) {
  if (id) return get(`api/v1/galleries/${encodeURIComponent(id)}`)
  const galleries = (await get('api/v1/galleries')).galleries.filter(({ of }) => !of)
  if (galleries.length === 1) return galleries[0]
  throw new APIError(404, { detail: galleries.length ? 'This server has several galleries. Name one in the gallery attribute.' : 'There are no galleries yet.' })
}
