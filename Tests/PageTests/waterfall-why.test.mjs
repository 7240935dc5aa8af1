import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationText, why } from '../../Public/js/waterfall/why.js'

const label = (y) => (y < 1000 ? 'June 2019' : 'July 2019')
const stop = { t: 0, y: 5400, confidence: 0.8 }
const picture = { item: 17, top: 100, height: 180, wanted: 100 }
const text = (more, context = {}) => why({ ...picture, ...more }, { label, ...context }).join(' ').replaceAll('\u00a0', ' ')

test('each reason has a sentence', () => {
  const cases = [
    ['visible', { neededIn: 0 }, 'Needed now: it is in view.'],
    ['path', { neededIn: 40 }, 'Needed in 40 ms: the scroll is about to pass June 2019.'],
    ['landing', { neededIn: 310 }, 'Needed in 310 ms: the scroll is predicted to stop at July 2019, 80% sure.'],
    ['preview', { neededIn: 40 }, 'Needed in 40 ms: the scroll passes June 2019 too fast for more than a preview.'],
    ['next', { neededIn: 1234 }, 'Needed in 1.2 s: the next gesture may show June 2019.'],
    ['hint', {}, 'Wanted: a hint points to June 2019.'],
    ['unfinished', {}, 'Wanted: its download for June 2019 is nearly finished.'],
    ['policy', {}, 'Wanted: the policy loads June 2019 ahead.'],
    ['unknown', { neededIn: 5 }, 'Needed in 5 ms.'],
  ]
  for (const [reason, more, sentence] of cases) assert.equal(text({ reason, ...more }, { stop }), sentence)
  assert.equal(text({ reason: 'landing' }), 'Wanted: the scroll is predicted to stop at June 2019.', 'without a prediction')
})

test('the sentences say what happened to a picture', () => {
  const cases = [
    [{ place: 2, requested: 220, arrived: 400, seen: 511 }, 'Wanted. Third in the queue. Waited 120 ms. Downloaded in 180 ms. Seen 111 ms after it arrived.'],
    [{ place: 10, requested: 100, arrived: 200, seen: 200 }, 'Wanted. Number 11 in the queue. Downloaded in 100 ms. Seen at once.'],
    [{ requested: 300, arrived: 400 }, 'Wanted. Waited 200 ms. Downloaded in 100 ms. Never seen.'],
    [{ requested: 220, waitedFor: 'host', limit: 8 }, 'Wanted. Waited 120 ms: host limit 8.'],
    [{ requested: 220, waitedFor: 'server', limit: 64 }, 'Wanted. Waited 120 ms: server limit 64.'],
    [{ requested: 220, waitedFor: 'retry' }, 'Wanted. Waited 120 ms for a retry.'],
    [{ requested: 105, waitedFor: 'host', limit: 8 }, 'Wanted. Waited 5 ms.'],
    [{ requested: 300, failed: 350 }, 'Wanted. Waited 200 ms. Failed after 250 ms.'],
    [{ arrived: 103, seen: 120 }, 'Wanted. Ready after 3 ms. Seen 17 ms after it arrived.'],
    [{ cancelled: 180, cause: 'turned' }, 'Wanted. Cancelled after 80 ms: the scroll turned.'],
    [{ requested: 110, cancelled: 180, cause: 'unknown' }, 'Wanted. Waited 10 ms. Cancelled after 80 ms.'],
  ]
  for (const [more, sentences] of cases) assert.equal(text(more), sentences)
})

test('nothing is said about later moments', () => {
  const all = { requested: 220, arrived: 400, seen: 511 }
  const cases = [[150, 'Waiting for 50 ms so far.'], [300, 'Waited 120 ms. Downloading for 80 ms so far.'], [450, 'Waited 120 ms. Downloaded in 180 ms. Not seen so far.']]
  for (const [at, sentences] of cases) assert.equal(text(all, { at }), `Wanted. ${sentences}`)
})

test('durations have two digits or whole milliseconds', () => {
  assert.deepEqual([0.4, 999.4, 999.6, 9940, 9960].map((ms) => durationText(ms).replace('\u00a0', ' ')), ['0 ms', '999 ms', '1.0 s', '9.9 s', '10 s'])
})
