// Which labels stand on the rail, and where.

const LINE = 24 // px a label takes at least

/**
 * As many labels as fit on a rail so many px high, each where its section begins; those that begin a year come before others.
 * @param {{head: string, tail: string, year: number | null}[]} labels One for each section.
 * @param {(section: number) => number} share Where a section begins, 0 … 1 of the content.
 * @param {number} height
 * @returns {{section: number, y: number, label: {head: string, tail: string, year: number | null}}[]}
 */
export function placeLabels(labels, share, height) {
  const taken = [] // heights, in order
  const placed = []
  const offer = (section, label) => {
    const y = Math.round(share(section) * height)
    const next = taken.findIndex((other) => other > y)
    const at = next < 0 ? taken.length : next
    if (y > height - LINE || y - (taken[at - 1] ?? -LINE) < LINE || (taken[at] ?? Infinity) - y < LINE) return
    taken.splice(at, 0, y)
    placed.push({ section, y, label })
  }
  labels.forEach(({ year }, section) => year !== null && offer(section, { head: String(year), tail: '', year }))
  const step = Math.max(1, Math.floor(labels.length / (height / 4))) // ten thousand sections: not each is looked at
  for (let section = 0; section < labels.length; section += step) offer(section, labels[section])
  return placed
}
