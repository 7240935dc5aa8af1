// The gallery's items have changed while it is on show: where the picture now is that was looked at, and which of the
// pictures held still belong to whom.

import { get } from '../session/api.js'

const REACH = 500 // items looked at on both sides of where it should be

/**
 * Finds an item of the gallery as it was (`before`, with its `items`) in the gallery as it is (`after`); the pictures
 * around it move along. Resolves to its new number, or to the old one, within bounds, where it cannot be told.
 */
export async function relocate({ before, after, items, thumbnails, item }) {
  const last = Math.max(0, after.itemCount - 1)
  const name = items.get(item)?.title
  let shift = null
  if (name !== undefined) {
    try {
      const section = sectionOf(before, after, item)
      const guess = section ? section.from + item - section.was : item
      const found = (await around(after, guess, name)) ?? (await around(after, await sought(after, section, name), name))
      if (found) {
        shift = found.item - item
        thumbnails.move((held) => {
          const title = items.get(held)?.title
          return title !== undefined && found.names.get(held + shift) === title ? held + shift : null
        })
      }
    } catch {
      // The connection has its own word to say; the place is kept by number.
    }
  }
  if (shift === null) thumbnails.clear()
  return Math.min(last, item + (shift ?? 0))
}

/** The item called `name` that is nearest to a guess, and its neighbours' names by number; null where none is near. */
async function around(gallery, guess, name) {
  const from = Math.max(0, Math.min(gallery.itemCount - 1, guess) - REACH)
  const { items } = await page(gallery, from, 2 * REACH)
  const same = items.filter((other) => other.title === name).map((other) => other.item)
  if (!same.length) return null
  same.sort((a, b) => Math.abs(a - guess) - Math.abs(b - guess))
  return { item: same[0], names: new Map(items.map((other) => [other.item, other.title])) }
}

/** About where `name` stands in a section whose items are in the natural order of their names, as those of a folder are. */
async function sought(gallery, section, name) {
  let [low, high] = section ? [section.from, section.from + section.count] : [0, gallery.itemCount]
  while (high - low > REACH) {
    const middle = (low + high) >> 1
    const { items } = await page(gallery, middle, 1)
    if (!items.length) break
    if (natural.compare(items[0].title, name) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const natural = new Intl.Collator('en', { numeric: true })

function page(gallery, from, count) {
  return get(`api/v1/galleries/${encodeURIComponent(gallery.id)}/items?from=${from}&count=${count}`)
}

/** The section that an item is in, as it is now, with where it `was`; undefined where it is gone. */
function sectionOf(before, after, item) {
  const section = before.sections.findLast(({ from }) => from <= item)
  const now = section && after.sections.find(({ title }) => title === section.title)
  return now && { ...now, was: section.from }
}
