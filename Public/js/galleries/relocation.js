// The gallery's items have changed while it is on show, or their order: where the picture now is that was looked at, and what
// becomes of the pictures held and selected.

import { get } from '../session/api.js'

const REACH = 500 // items on both sides of it whose pictures move along
const NAMES = 200 // that are compared at most

/**
 * Finds where an item of the gallery as it was (`before`) stands in the gallery as it is (`after`). Resolves to `{item, move}`: its new
 * number; the nearest one's that is still there; or the old one, within bounds. `move()` then gives what is held and shown of the
 * pictures around it their new numbers, all at once, and the `selection` too. Where the server cannot tell, as another server or one that
 * began anew cannot, what is in sight (`seen`: items from, to) stays if it goes by the same names, and nothing else is held.
 */
export async function relocation({ before, after, thumbnails, placeholders, grid, items, selection, item, seen }) {
  const places = new Places(before, after)
  const told = await places.of(Math.max(0, item - REACH), 2 * REACH).catch(() => null)
  const near = told ?? (await unmoved({ before, after, items, seen }))
  const selected = await selection?.places(before, after, (from, count) => places.of(from, count))
  return {
    item: told ? nearest(told, item) ?? 0 : Math.min(Math.max(0, after.itemCount - 1), item),
    move() {
      if (near) for (const holder of [thumbnails, placeholders, grid, items]) holder.move((held) => near.get(held) ?? null)
      else {
        thumbnails.clear()
        placeholders.clear()
        grid.forget()
      }
      selection?.take(selected)
    },
  }
}

/** The items in sight by their old numbers, where each has a name of its own and the same in both galleries; else null. */
async function unmoved({ before, after, items, seen: { from, to } }) {
  const count = Math.min(NAMES, to - from)
  if (count < 1 || before.itemCount !== after.itemCount) return null
  const now = await get(`api/v1/galleries/${encodeURIComponent(after.id)}/items?from=${from}&count=${count}`).catch(() => null)
  const names = now?.items.map(({ title }) => title) ?? []
  const isSame = names.length === count && names.every((name, index) => name && name === items.get(from + index)?.title)
  return isSame && new Set(names).size === count ? new Map(names.map((_, index) => [from + index, from + index])) : null
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
