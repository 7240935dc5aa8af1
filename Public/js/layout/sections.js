// Finding things in sorted lists of numbers.

/** The last index whose value is not above x, or 0. */
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

/** Sections without a gap: what the gallery says, or one untitled section that holds everything. */
export function normalized(sections, itemCount) {
  return sections?.length ? sections : [{ title: '', from: 0, count: itemCount }]
}
