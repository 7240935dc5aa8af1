// The state of the page: the gallery, its items, thumbnails and placeholders.

import { itemPath, Items } from '../galleries/items.js'
import { PrefetchState } from '../session/prefetch-state.js'
import { Placeholders } from '../thumbnails/placeholders.js'
import { ThumbnailCache } from '../thumbnails/thumbnail-cache.js'

const number = new Intl.NumberFormat('en')

export class PageState {
  /** The gallery on show, as received from the API; null until known. */
  gallery = null
  /** The gallery of which the one on show is an arrangement, or the gallery on show itself. */
  base = null
  /** @type {Items | null} The names and sizes of its items. */
  items = null
  /** The scroll position in the address, as an anchor of the layout; null once the page has been scrolled. */
  opensAt = null
  thumbnails
  prefetchState = new PrefetchState()

  placeholders

  constructor(thumbnails = new ThumbnailCache(), placeholders = new Placeholders()) {
    this.thumbnails = thumbnails
    this.placeholders = placeholders
  }

  show(gallery, base) {
    const isSameSource = this.gallery && (this.gallery.of ?? this.gallery.id) === (gallery.of ?? gallery.id)
    this.gallery = gallery
    this.base = base
    this.placeholders.begin(gallery)
    this.items = new Items(gallery, isSameSource ? this.items?.moved : undefined)
  }

  get itemCount() {
    return this.gallery?.itemCount ?? 0
  }

  name(item) {
    return this.items?.name(item) ?? `Picture ${number.format(item + 1)}`
  }

  /**
   * Returns the `{id, version}` of an item, as far as known. If thumbnail and name disagree, the thumbnail is right: the name may have
   * been requested when the number meant another picture.
   * @returns {{id?: string, version?: string}}
   */
  identity(/** @type {number} */ item) {
    const [known, held] = [this.items?.get(item), this.thumbnails.get(item)]
    return held?.id && held.id !== known?.id ? held : (known ?? {})
  }

  /** Path of an item or of its resource `what`. @type {(item: number, what?: string, query?: Record<string, string>) => string} */
  path = (item, what, query) => itemPath(this.gallery, item, { id: this.identity(item).id, version: this.identity(item).version, what, query })

  /** Returns the main colour of an item, if the gallery's source contains it; else ''. */
  color(item) {
    return this.items?.get(item)?.color ?? ''
  }
}
