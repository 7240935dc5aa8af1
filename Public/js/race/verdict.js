// The outcome in words, with the figures that it rests on.

const percent = (share) => `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)}\u00a0%`
const seconds = (milliseconds) => (milliseconds < 1000 ? `${Math.round(milliseconds)}\u00a0ms` : `${(milliseconds / 1000).toFixed(1)}\u00a0s`)
const times = (more, less) => (more / less >= 10 ? Math.round(more / less) : (more / less).toFixed(1))

export const written = { blank: percent, slow: percent, settle: seconds, waste: percent }

/** Whether a is better than b by more than a measurement may be off. */
const beats = (a, b, grain) => b - a > grain && a < b * 0.95

const grains = { blank: 0.002, slow: 0.002, settle: 25, waste: 0.01 }

/** The better one of two numbers of a figure: 0, 1, or null where they are as good as equal. */
export function better(figure, [a, b]) {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return null
  return beats(a, b, grains[figure]) ? 0 : beats(b, a, grains[figure]) ? 1 : null
}

/**
 * `sides`: two of `{name, blank, slow, settle, waste}`: shares 0 … 1 and ms.
 * Answers `{winner, headline, details}`; blank time decides, for that is what a person sees.
 */
export function verdict(sides) {
  const pick = (figure) => sides.map((side) => side[figure])
  const winner = better('blank', pick('blank'))
  const details = []
  const compare = (figure, what) => {
    const first = winner ?? 0
    const [own, other] = [sides[first], sides[1 - first]]
    if (!Number.isFinite(own[figure]) || !Number.isFinite(other[figure])) return
    details.push(what(written[figure](own[figure]), written[figure](other[figure])))
  }
  compare('slow', (own, other) => `While it moved slowly enough to look: ${own} against ${other}.`)
  compare('settle', (own, other) => `Wait for a full screen after a stop: ${own} against ${other}.`)
  compare('waste', (own, other) => `Bytes fetched and never shown: ${own} against ${other}.`)
  if (winner === null) {
    return { winner, headline: `A draw: blank ${written.blank(sides[0].blank)} and ${written.blank(sides[1].blank)} of the time.`, details }
  }
  const [own, other] = [sides[winner], sides[1 - winner]]
  const ratio = own.blank > 0.0005 ? `, ${times(other.blank, own.blank)} times less` : ''
  return { winner, headline: `${own.name} wins: blank ${written.blank(own.blank)} of the time against ${written.blank(other.blank)}${ratio}.`, details }
}
