// Moves the page to the new item numbers after the items of the gallery on show, or their order, have changed.

import { get } from '../session/api.js'

const REACH = 500 // items before and after the current one that keep their pictures
const NAMES = 200 // maximum number of names to compare

/**
 * Finds an item of the old gallery (`before`) in the new one (`after`). Resolves to `{item, move}`. `item` is its new number, or that of
 * the nearest item that still exists. `move()` moves the thumbnails, the cells and the `selection` to the new numbers.
 *
 * Another server, or a restarted one, does not know the old numbers. `item` is then the old number, within bounds. The visible items
 * (`seen`: from, to) keep their pictures if their names have not changed, and all other pictures are dropped.
 */
export async function relocation({ before, after, thumbnails, placeholders, grid, items, selection, item, seen }) {
  const places = new Places(before, after)
  const found = await places.of(Math.max(0, item - REACH), 2 * REACH).catch(() => null)
  const near = found ?? (await unmoved({ before, after, items, seen }))
  const selected = await selection?.places(before, after, (from, count) => places.of(from, count))
  return {
    item: found ? nearest(found, item) ?? 0 : Math.min(Math.max(0, after.itemCount - 1), item),
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

/** Returns the visible items, mapped to the same numbers, if their names are unique and the same in both galleries; else null. */
async function unmoved({ before, after, items, seen: { from, to } }) {
  const count = Math.min(NAMES, to - from)
  if (count < 1 || before.itemCount !== after.itemCount) return null
  const now = await get(`api/v1/galleries/${encodeURIComponent(after.id)}/items?from=${from}&count=${count}`).catch(() => null)
  const names = now?.items.map(({ title }) => title) ?? []
  const isSame = names.length === count && names.every((name, index) => name && name === items.get(from + index)?.title)
  return isSame && new Set(names).size === count ? new Map(names.map((_, index) => [from + index, from + index])) : null
}

/** Returns the new number of an item, or of the nearest item that has one; null if there is none within `REACH`. */
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

  /** Resolves to a map from old to new numbers, for the items that still exist. */
  async of(first, count) {
    const { from, places } = await get(`${this.#path}?${this.#query}&from=${first}&count=${count}`)
    return new Map(places.map((place, index) => [from + index, place]).filter(([, place]) => place !== null))
  }
}
