// The gallery's items have changed while it is on show, or their order: where the picture now is that was looked at, and what
// becomes of the pictures held and selected.

import { get } from '../session/api.js'

const REACH = 500 // items on both sides of it whose pictures move along

/**
 * Finds an item of the gallery as it was (`before`) in the gallery as it is (`after`); what is held and shown of the pictures around
 * it moves along, and so does the `selection`. Resolves to its new number; to the nearest one's that is still there; or to the old one,
 * within bounds, where the server cannot tell any more.
 */
export async function relocate({ before, after, thumbnails, grid, items, selection, item }) {
  const places = new Places(before, after)
  const near = await places.of(Math.max(0, item - REACH), 2 * REACH).catch(() => null)
  if (near) for (const holder of [thumbnails, grid, items]) holder.move((held) => near.get(held) ?? null)
  else {
    thumbnails.clear()
    grid.forget()
  }
  await selection?.move(before, after, (from, count) => places.of(from, count))
  return near ? nearest(near, item) ?? 0 : Math.min(Math.max(0, after.itemCount - 1), item)
}

/** The new number of an item, or of the one nearest to it that has one; null where none around it has. */
function nearest(places, item) {
  for (let distance = 0; distance <= REACH; distance++) {
    for (const other of [item + distance, item - distance]) if (places.has(other)) return places.get(other)
  }
  return null
}

class Places {
  #path
  #query

  constructor(before, after) {
    this.#path = `api/v1/galleries/${encodeURIComponent(after.id)}/places`
    this.#query = `of=${encodeURIComponent(before.id)}&revision=${before.revision}`
  }

  /** The new numbers of items by their old ones, of those that are still there. */
  async of(first, count) {
    const { from, places } = await get(`${this.#path}?${this.#query}&from=${first}&count=${count}`)
    return new Map(places.map((place, index) => [from + index, place]).filter(([, place]) => place !== null))
  }
}
