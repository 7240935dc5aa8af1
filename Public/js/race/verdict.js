// The outcome of a race in words, with the figures behind it.

import { wasLimit } from './line-use.js'

/** Shown instead of a verdict if the computer could not keep up. */
export const BUSY = 'This computer was too busy to compare.'

const DRAW = 2 // minimum difference in percentage points

/** Rounds a share to percent as displayed. */
const rounded = (share) => Number((share * 100).toFixed(share < 0.0995 ? 1 : 0))
const percent = (share) => `${rounded(share) > 0 && share < 0.0995 ? (share * 100).toFixed(1) : rounded(share)}%`
export const seconds = (milliseconds) => (milliseconds < 1000 ? `${Math.round(milliseconds)}\u00a0ms` : `${(milliseconds / 1000).toFixed(1)}\u00a0s`)

export const written = { blank: percent, empty: percent, slow: percent, settle: seconds, waste: percent }

/** Whether a wait is shorter than another by more than the measurement error. */
const isShorter = (a, b) => b - a > 25 && a < b * 0.95

/** Returns the better of two values of a figure: 0, 1, or null for a draw. Shares are compared as displayed. */
export function better(figure, [a, b]) {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return null
  if (figure === 'settle') return isShorter(a, b) ? 0 : isShorter(b, a) ? 1 : null
  return points(a, b) < DRAW ? null : a < b ? 0 : 1
}

/** Whether the person scrolled far enough to compare two sides: at least one screen. `distance` and `height` of the view in px. */
export const isEnough = (distance, height) => height > 0 && distance >= height

/** Returns the difference of two shares as displayed, in percentage points. */
const points = (a, b) => Number(Math.abs(rounded(a) - rounded(b)).toFixed(1))

const negligible = { blank: 0.0005, empty: 0.0005, slow: 0.0005, settle: 25, waste: 0.0005 }

/** Whether a figure is practically zero on both sides. */
export const none = (figure, both) => both.every((value) => value < negligible[figure])

/**
 * Returns the verdict on two sides as `{winner, points, headline, details}`.
 * - Each of `sides` is `{name, blank, empty, slow, settle, waste, line}`, shares 0 … 1 and ms. `line` is the share of its bandwidth that
 *   the side used while cells were blank, NaN if unknown. `bandwidth` is the bandwidth of a side in Mbit/s.
 * - The headline names both sides, the winner first. All figures are in this order.
 * - `points` is the difference in blank share, '' for a draw. The blank share decides, because a person sees blank cells.
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

/** Returns a sentence about the empty shares (0 … 1) without and with prefetching. A draw or a loss is not presented as a win. */
export function storyResult(without, prefetched) {
  const [left, right] = [without, prefetched].map(percent)
  if (none('empty', [without, prefetched])) return 'Nothing was empty on either side.'
  if (better('empty', [without, prefetched]) === 1) return `${right} empty instead of ${left}.`
  return `${left} empty without prefetching, ${right} with it.`
}
