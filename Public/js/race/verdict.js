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

/** Whether there was as good as nothing of a figure on both sides: no number tells them apart. */
export const none = (figure, both) => both.every((value) => value < grains[figure])

/**
 * `sides`: two of `{name, blank, slow, settle, waste}`, as they stand on the page: shares 0 … 1 and ms.
 * Answers `{winner, ratio, headline, details}`, the figures of both sides always in that order; `ratio` is the one figure
 * that says it, '' where there is none. Blank time decides, for that is what a person sees.
 */
export function verdict(sides) {
  const pick = (figure) => sides.map((side) => side[figure])
  const winner = better('blank', pick('blank'))
  const details = []
  const compare = (figure, what, nothing) => {
    const both = pick(figure)
    if (!both.every(Number.isFinite)) return
    if (nothing && none(figure, both)) details.push(nothing)
    else details.push(what(...both.map(written[figure])))
  }
  compare('slow', (a, b) => `While it moved slowly enough to look: ${a} and ${b}.`, 'While it moved slowly enough to look nothing was blank.')
  compare('settle', (a, b) => `Longest wait for a full screen after a stop: ${a} and ${b}.`, 'Both were full as soon as they stopped.')
  compare('waste', (a, b) => `Bytes fetched and never shown: ${a} and ${b}.`)
  const shares = pick('blank').map(written.blank)
  if (winner === null) return { winner, ratio: '', headline: `A draw: ${shares[0]} and ${shares[1]} of what came into view was blank.`, details }
  const [own, other] = [sides[winner], sides[1 - winner]]
  const ratio =
    own.blank <= 0.0005 ? shares[1 - winner]
    : other.blank / own.blank < 2 ? `${Math.round(100 * (1 - own.blank / other.blank))}\u00a0%`
    : `${times(other.blank, own.blank)}×`
  const headline =
    own.blank > 0.0005
      ? `less blank with ${own.name}: ${sides[0].name} ${shares[0]} of the time, ${sides[1].name} ${shares[1]}.`
      : `blank with ${other.name}, and nothing with ${own.name}.`
  return { winner, ratio, headline, details }
}
