// Search in sorted lists, and the sections of a gallery.

/** Returns the last index whose value is at most x, or 0. `values` must be sorted. */
export function lastNotAbove(values, x) {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle] <= x) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** Returns the gallery's sections, or one untitled section with all items. */
export function normalized(sections, itemCount) {
  return sections?.length ? sections : [{ title: '', from: 0, count: itemCount }]
}
