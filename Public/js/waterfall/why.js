// Says in sentences why a picture was wanted, and what became of it.

/** The reasons of the policy. `place` names the position, `sure` the confidence of the prediction. */
const REASONS = {
  visible: () => 'it is in view',
  path: ({ place }) => `the scroll is about to pass ${place}`,
  landing: ({ place, sure }) => `the scroll is predicted to stop at ${place}${sure}`,
  preview: ({ place }) => `the scroll passes ${place} too fast for more than a preview`,
  next: ({ place }) => `the next gesture may show ${place}`,
  hint: ({ place }) => `a hint points to ${place}`,
  unfinished: ({ place }) => `its download for ${place} is nearly finished`,
  policy: ({ place }) => `the policy loads ${place} ahead`,
}

/** The causes of a cancellation. */
const CAUSES = {
  turned: 'the scroll turned',
  passed: 'the scroll has passed it',
  jumped: 'the scroll jumped elsewhere',
  prediction: 'the prediction changed',
  policy: 'the policy or its prefetching changed',
}

/** The limits for which a download waits. */
const LIMITS = {
  host: (/** @type {number} */ limit) => `: host limit ${limit}`,
  server: (/** @type {number} */ limit) => `: server limit ${limit}`,
  retry: () => ' for a retry',
}

const PLACES = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth']

const SHORT = 10 // ms that a start may take without a limit

/** Returns a duration in words. */
export const durationText = (/** @type {number} */ ms) =>
  Math.round(ms) < 1000 ? `${Math.round(ms)}\u00a0ms` : `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)}\u00a0s`

const percentText = (share) => `${Math.round(share * 100)}%`

/**
 * Says why a picture was wanted, and what happened to it until the moment `at`. `label(y)` names a position. `stop` is the stop that was
 * predicted when the picture was wanted, if known.
 * @param {import('./record.js').Picture} picture
 * @param {{at?: number, label: (y: number) => string, stop?: import('./record.js').PredictedStop}} context
 * @returns {string[]}
 */
export function why(picture, { at = Infinity, label, stop }) {
  const { wanted, place, requested } = picture
  const known = (/** @type {number | undefined} */ time) => (time !== undefined && time <= at ? time : undefined)
  const [began, arrived, seen, cancelled, failed] = [requested, picture.arrived, picture.seen, picture.cancelled, picture.failed].map(known)
  const end = arrived ?? cancelled ?? failed
  const sentences = [reasonText(picture, { label, stop })]
  if (place !== undefined) sentences.push(place < PLACES.length ? `${PLACES[place]} in the queue.` : `Number ${place + 1} in the queue.`)
  if (began !== undefined) {
    const limit = began - wanted >= SHORT ? (LIMITS[picture.waitedFor]?.(picture.limit) ?? '') : ''
    if (began - wanted >= 1) sentences.push(`Waited ${durationText(began - wanted)}${limit}.`)
    if (end === undefined && at < Infinity) sentences.push(`Downloading for ${durationText(at - began)} so far.`)
    if (arrived !== undefined) sentences.push(`Downloaded in ${durationText(arrived - began)}.`)
  } else if (arrived !== undefined) sentences.push(`Ready after ${durationText(arrived - wanted)}.`)
  else if (end === undefined && at < Infinity) sentences.push(`Waiting for ${durationText(at - wanted)} so far.`)
  const cause = picture.cause in CAUSES ? `: ${CAUSES[picture.cause]}` : ''
  if (cancelled !== undefined) sentences.push(`Cancelled after ${durationText(cancelled - wanted)}${cause}.`)
  if (failed !== undefined) sentences.push(`Failed after ${durationText(failed - wanted)}.`)
  if (arrived === undefined) return sentences
  if (seen !== undefined) sentences.push(seen - arrived < 1 ? 'Seen at once.' : `Seen ${durationText(seen - arrived)} after it arrived.`)
  else sentences.push(at < Infinity ? 'Not seen so far.' : 'Never seen.')
  return sentences
}

function reasonText(/** @type {import('./record.js').Picture} */ { top, reason, neededIn }, { label, stop }) {
  const place = label(reason === 'landing' && stop ? stop.y : top)
  const sure = stop ? `, ${percentText(stop.confidence)} sure` : ''
  const cause = REASONS[reason]?.({ place, sure })
  const need = neededIn === undefined ? 'Wanted' : neededIn < 1 ? 'Needed now' : `Needed in ${durationText(neededIn)}`
  return cause ? `${need}: ${cause}.` : `${need}.`
}
