// The state of the page, in one place.

import { itemPath, Items } from '../galleries/items.js'
import { PrefetchState } from '../session/prefetch-state.js'
import { Placeholders } from '../thumbnails/placeholders.js'
import { ThumbnailCache } from '../thumbnails/thumbnail-cache.js'

const number = new Intl.NumberFormat('en')

export class PageState {
  /** The gallery on show, as the API gives it; null until it is known. */
  gallery = null
  /** The gallery that the one on show is an arrangement of; itself where it is none. */
  base = null
  /** @type {Items | null} The names and sizes of its items. */
  items = null
  /** Where the address leads, as an anchor of the layout; null once the page has been moved. */
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

  /** The name of an item, known or not. */
  name(item) {
    return this.items?.name(item) ?? `Picture ${number.format(item + 1)}`
  }

  /**
   * The `{id, version}` of an item, as far as known. The thumbnail in its cell says what the picture is: names may have been asked for
   * when the item was another.
   * @returns {{id?: string, version?: string}}
   */
  identity(/** @type {number} */ item) {
    const [known, held] = [this.items?.get(item), this.thumbnails.get(item)]
    return held?.id && held.id !== known?.id ? held : (known ?? {})
  }

  /** The path of an item, or of `what` belongs to it. @type {(item: number, what?: string, query?: Record<string, string>) => string} */
  path = (item, what, query) => itemPath(this.gallery, item, { id: this.identity(item).id, version: this.identity(item).version, what, query })

  /** The colour that the gallery's source tells of an item, '' where it tells none. */
  color(item) {
    return this.items?.get(item)?.color ?? ''
  }
}
