// Names and sizes of items, asked for in pages when the scrolling rests, and kept for the last pages looked at.

import { get } from '../session/api.js'

const PAGE = 200
const PAGES = 12

const number = new Intl.NumberFormat('en')

export class Items {
  #gallery
  #pages = new Map() // by number, the oldest first
  #asked = new Set() // pages on their way

  constructor(gallery) {
    this.#gallery = gallery
  }

  get(item) {
    const page = this.#pages.get(Math.floor(item / PAGE))
    return page?.[item % PAGE]
  }

  /** What to call an item, known or not. */
  name(item) {
    return this.get(item)?.title || `Picture ${number.format(item + 1)}`
  }

  /** Learns about a range; resolves to true when something new is known. */
  async learn({ from, to }) {
    const wanted = []
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page++) {
      if (!this.#pages.has(page) && !this.#asked.has(page)) wanted.push(page)
    }
    const news = await Promise.all(wanted.map((page) => this.#load(page)))
    return news.includes(true)
  }

  async #load(page) {
    this.#asked.add(page)
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
