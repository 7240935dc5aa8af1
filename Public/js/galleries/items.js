// Names and sizes of items, asked for in pages when the scrolling rests, and kept for the last pages looked at.

import { get } from '../session/api.js'

const PAGE = 200
const PAGES = 12

const number = new Intl.NumberFormat('en')

/**
 * The path of an item, or of `what` belongs to it: `image`, `original`. Its id says which picture is meant, since its number may be
 * another's by now; its version, whether the browser's copy is still right.
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
 * The number that the picture with an id has in a gallery now; null if it is gone. `item` is the number it had, and the result if the
 * server cannot tell.
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
  #asked = new Map() // pages on their way
  #former
  /** @type {Map<number, any>} What is known, by the numbers that the items have in the gallery that comes next. */
  moved = new Map()

  /** `former`: what is known already, by item. */
  constructor(gallery, former = new Map()) {
    this.#gallery = gallery
    this.#former = former
  }

  get(item) {
    const page = this.#pages.get(Math.floor(item / PAGE))
    return page?.[item % PAGE]
  }

  /** The latest that is known of an item. */
  known(item) {
    return this.get(item) ?? this.#former.get(item)
  }

  /** The name of an item, known or not. */
  name(item) {
    return this.known(item)?.title || `Picture ${number.format(item + 1)}`
  }

  /** The items get other numbers: `to(item)`, null for none. */
  move(to) {
    const known = new Map(this.#former)
    for (const [page, items] of this.#pages) items.forEach((item, index) => known.set(page * PAGE + index, item))
    this.moved = new Map()
    for (const [item, value] of known) if (to(item) !== null) this.moved.set(to(item), value)
  }

  /** Learns about a range; resolves to true when something new is known. */
  async learn({ from, to }) {
    const wanted = []
    const end = Math.min(to, this.#gallery.itemCount)
    for (let page = Math.floor(from / PAGE); page * PAGE < end; page++) {
      if (this.#pages.has(page)) continue
      if (!this.#asked.has(page)) this.#asked.set(page, this.#load(page))
      wanted.push(this.#asked.get(page))
    }
    return (await Promise.all(wanted)).includes(true)
  }

  async #load(page) {
    try {
      const id = encodeURIComponent(this.#gallery.id)
      const answer = await get(`api/v1/galleries/${id}/items?from=${page * PAGE}&count=${PAGE}`)
      this.#pages.set(page, answer.items)
      if (this.#pages.size > PAGES) this.#pages.delete(this.#pages.keys().next().value)
      return true
    } catch {
      return false // names are a courtesy; the gallery goes on without them
    } finally {
      this.#asked.delete(page)
    }
  }
}
