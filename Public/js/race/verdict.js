// The outcome in words, with the figures that it rests on.

import { wasLimit } from './line-use.js'

/** The words in place of a verdict if the computer could not keep up. */
export const BUSY = 'This computer was too busy to compare.'

const DRAW = 2 // percentage points that a difference has at least

/** A share as it stands on the page, in percent. */
const rounded = (share) => Number((share * 100).toFixed(share < 0.0995 ? 1 : 0))
const percent = (share) => `${rounded(share) > 0 && share < 0.0995 ? (share * 100).toFixed(1) : rounded(share)}%`
export const seconds = (milliseconds) => (milliseconds < 1000 ? `${Math.round(milliseconds)}\u00a0ms` : `${(milliseconds / 1000).toFixed(1)}\u00a0s`)

export const written = { blank: percent, empty: percent, slow: percent, settle: seconds, waste: percent }

/** Whether a wait is shorter than another by more than a measurement may be off. */
const isShorter = (a, b) => b - a > 25 && a < b * 0.95

/** The better one of two numbers of a figure: 0, 1, or null for a draw. Shares are compared as they stand on the page. */
export function better(figure, [a, b]) {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return null
  if (figure === 'settle') return isShorter(a, b) ? 0 : isShorter(b, a) ? 1 : null
  return points(a, b) < DRAW ? null : a < b ? 0 : 1
}

/** Whether a person's own scrolling of `distance` px in a view of `height` px is enough to compare two sides: a screen of it. */
export const isEnough = (distance, height) => height > 0 && distance >= height

/** How far two shares are apart as they stand on the page, in percentage points. */
const points = (a, b) => Number(Math.abs(rounded(a) - rounded(b)).toFixed(1))

const least = { blank: 0.0005, empty: 0.0005, slow: 0.0005, settle: 25, waste: 0.0005 }

/** Whether there was as good as nothing of a figure on both sides: no number tells them apart. */
export const none = (figure, both) => both.every((value) => value < least[figure])

/**
 * `sides`: two of `{name, blank, empty, slow, settle, waste, line}`: shares 0 … 1 and ms; `line` is the share of its bandwidth that
 * a side used while cells were blank, NaN where that is not known; `bandwidth` is what a side had, in Mbit/s. Returns
 * `{winner, points, headline, details}`. The headline names both sides, the winner first, and all figures stand in that order;
 * `points` is the difference in blank share, '' for a draw. Blank time decides, for that is what a person sees.
 */
export function verdict(sides, bandwidth = NaN) {
  const winner = better('blank', sides.map(({ blank }) => blank))
  const [first, second] = winner === 1 ? [sides[1], sides[0]] : sides
  const pick = (figure) => [first[figure], second[figure]]
  const both = (figure) => pick(figure).map(written[figure]).join(' vs. ')
  const blank = `${first.name} ${written.blank(first.blank)} blank, ${second.name} ${written.blank(second.blank)}`
  const isLimited = sides.every(({ line, blank }) => wasLimit(line, blank, winner === null))
  const details = []
  const compare = (figure, text, nothing) => {
    if (pick(figure).every(Number.isFinite)) details.push(none(figure, pick(figure)) ? nothing : text(both(figure)))
  }
  if (isLimited) {
    const used = `downloads used ${pick('line').map(percent).join(' and ')} of their ${Number(bandwidth.toFixed(2))}\u00a0Mbit/s while cells were blank.`
    details.push(winner === null ? used[0].toUpperCase() + used.slice(1) : `Both were limited by the network: ${used}`)
  }
  compare('empty', (text) => `Cells were empty, without even a blur, for ${text} of the time.`, 'No cell was empty: each was blurred until it was loaded.')
  compare('slow', (text) => `While the scroll was slow: ${text} blank.`, 'While the scroll was slow nothing was blank.')
  compare('settle', (text) => `Longest wait for a full screen after a stop: ${text}.`, 'Both screens were full at every stop.')
  compare('waste', (text) => `Fetched but never viewed: ${text} of the bytes.`, 'Everything fetched was viewed.')
  if (winner === null) {
    const headline =
      none('blank', pick('blank')) ? 'A draw: nothing was blank on either side.'
      : isLimited ? `A draw, both were limited by the network: ${blank}.` : `A draw: ${blank}.`
    return { winner, points: '', headline, details }
  }
  return { winner, points: String(Math.round(points(...pick('blank')))), headline: `points apart: ${blank}.`, details }
}

/** The verdict on the empty shares (0 … 1) without prefetching and with it, in one line; a draw, or worse, is no win. */
export function storyResult(without, prefetched) {
  const [left, right] = [without, prefetched].map(percent)
  if (none('empty', [without, prefetched])) return 'Nothing was empty on either side.'
  if (better('empty', [without, prefetched]) === 1) return `${right} empty instead of ${left}.`
  return `${left} empty without prefetching, ${right} with it.`
}
