// The gallery's items have changed while it is on show: where the picture now is that was looked at, and which of the
// pictures held still belong to whom.

import { get } from './api.js'

const REACH = 500 // items looked at on both sides of where it should be

/**
 * Finds an item of the gallery as it was (`before`, with its `items`) in the gallery as it is (`after`); the pictures
 * around it move along. Resolves to its new number, or to the old one, within bounds, where it cannot be told.
 */
export async function carry({ before, after, items, pictures, item }) {
  const last = Math.max(0, after.itemCount - 1)
  const name = items.get(item)?.title
  let shift = null
  if (name !== undefined) {
    const guess = Math.min(last, Math.max(0, guessed(before, after, item)))
    const from = Math.max(0, guess - REACH)
    try {
      const { items: found } = await get(`api/v1/galleries/${encodeURIComponent(after.id)}/items?from=${from}&count=${2 * REACH}`)
      const same = found.filter((other) => other.title === name).map((other) => other.item)
      same.sort((a, b) => Math.abs(a - guess) - Math.abs(b - guess))
      if (same.length) {
        shift = same[0] - item
        const names = new Map(found.map((other) => [other.item, other.title]))
        pictures.move((held) => {
          const title = items.get(held)?.title
          return title !== undefined && names.get(held + shift) === title ? held + shift : null
        })
      }
    } catch {
      // The connection has its own word to say; the place is kept by number.
    }
  }
  if (shift === null) pictures.clear()
  return Math.min(last, item + (shift ?? 0))
}

/** As far into its section as it was, where the section is still there. */
function guessed(before, after, item) {
  const section = before.sections.findLast(({ from }) => from <= item)
  const now = section && after.sections.find(({ title }) => title === section.title)
  return now ? now.from + item - section.from : item
}
