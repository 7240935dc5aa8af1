// Names and sizes of items. They are requested in pages when scrolling stops. The last pages are cached.

import { get } from '../session/api.js'

const PAGE = 200
const PAGES = 12

const number = new Intl.NumberFormat('en')

/**
 * Returns the API path of an item, or of a resource of the item: `what` is `image` or `original`, for example. `id` identifies the
 * picture if its number has changed. `version` identifies its content, so that the browser can cache the response.
 * @param {{id: string}} gallery
 * @param {number} item
 * @param {{what?: string, id?: string, version?: string, query?: Record<string, string>}} options
 */
export function itemPath(gallery, item, { what = '', id, version, query }) {
  const parameters = new URLSearchParams(query)
  if (id) parameters.set('id', id)
  if (id && version) parameters.set('v', version)
  const search = parameters.toString()
  return `api/v1/galleries/${encodeURIComponent(gallery.id)}/items/${item}${what && `/${what}`}${search && `?${search}`}`
}

/**
 * Resolves to the current number of a picture in a gallery; null if the picture is gone. `item` is its last known number, and the
 * result if the request fails.
 * @param {{id: string}} gallery
 * @param {{item: number, id: string | null}} picture
 * @returns {Promise<number | null>}
 */
export async function findPicture(gallery, { item, id }) {
  if (!id) return item
  try {
    const path = `api/v1/galleries/${encodeURIComponent(gallery.id)}/items`
    const found = await get(`${path}?from=${item}&count=1&id=${encodeURIComponent(id)}`)
    return found.from
  } catch (error) {
    return error.status === 404 ? null : item
  }
}

export class Items {
  #gallery
  #pages = new Map() // by number, the oldest first
  /** @type {Map<number, Promise<boolean>>} */
  #requests = new Map() // requests in flight, by page
  #former
  /** @type {Map<number, any>} Known items by their numbers in the next gallery; filled by `move`. */
  moved = new Map()

  /** `former` has items known from the gallery before, by number. */
  constructor(gallery, former = new Map()) {
    this.#gallery = gallery
    this.#former = former
  }

  get(item) {
    const page = this.#pages.get(Math.floor(item / PAGE))
    return page?.[item % PAGE]
  }

  /** Returns an item, if known for this gallery or from the gallery before. */
  known(item) {
    return this.get(item) ?? this.#former.get(item)
  }

  /** Returns the title of an item, or its number for people if the title is not known. */
  name(item) {
    return this.known(item)?.title || `Picture ${number.format(item + 1)}`
  }

  /** Fills `moved` when items get new numbers. `to(item)` returns the new number, or null if the item is gone. */
  move(to) {
    const known = new Map(this.#former)
    for (const [page, items] of this.#pages) items.forEach((item, index) => known.set(page * PAGE + index, item))
    this.moved = new Map()
    for (const [item, value] of known) if (to(item) !== null) this.moved.set(to(item), value)
  }

  /** Requests the items of a range that are not cached. Resolves to whether new ones have arrived. */
  async learn({ from, to }) {
    const wanted = []
    const end = Math.min(to, this.#gallery.itemCount)
    for (let page = Math.floor(from / PAGE); page * PAGE < end; page++) {
      if (this.#pages.has(page)) continue
      if (!this.#requests.has(page)) this.#requests.set(page, this.#load(page))
      wanted.push(this.#requests.get(page))
    }
    return (await Promise.all(wanted)).includes(true)
  }

  async #load(page) {
    try {
      const id = encodeURIComponent(this.#gallery.id)
      const response = await get(`api/v1/galleries/${id}/items?from=${page * PAGE}&count=${PAGE}`)
      this.#pages.set(page, response.items)
      if (this.#pages.size > PAGES) this.#pages.delete(this.#pages.keys().next().value)
      return true
    } catch {
      return false // the gallery also works without names
    } finally {
      this.#requests.delete(page)
    }
  }
}
