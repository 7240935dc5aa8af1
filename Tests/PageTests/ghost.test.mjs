import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorText, ExpectedStops, possibleError } from '../../Public/js/dashboard/ghost.js'

const plan = (top, velocity = 1000) => ({ velocity, landing: { scrollTop: top, confidence: 0.8 } })

/** Scrolls at 1 px/ms. Each plan of `plans` arrives at its time. Returns the stops after the last movement at `end` ms. */
function scrolled(end, plans) {
  const stops = new ExpectedStops(0)
  let latest = null
  for (let t = 10; t <= end; t += 10) {
    latest = plans[t] ?? latest
    assert.equal(stops.add(t, t, latest), true)
  }
  return stops
}

test('the error is the distance from the stop that was expected half a second before the last movement', () => {
  const plans = { 100: plan(700), 400: plan(1500), 520: plan(1180), 900: plan(1001) }
  assert.equal(scrolled(1000, plans).error, 1000 - 1500)
  assert.equal(scrolled(1100, plans).error, 1100 - 1180)
})

test('a movement of less than half a second is compared with the first stop that was expected during it', () => {
  assert.equal(scrolled(300, { 50: plan(420), 200: plan(310) }).error, 300 - 420)
})

test('there is no error if the server expected no stop before the last movement, or did not know of the movement', () => {
  assert.equal(scrolled(300, {}).error, null)
  assert.equal(scrolled(300, { 100: plan(0, 0) }).error, null)
  const jumped = new ExpectedStops(0)
  jumped.add(0, 9000, null)
  jumped.add(50, 9000, plan(9000))
  assert.equal(jumped.error, null)
})

test('the scroll has stopped 150 ms after its last movement, and the next movement has its own stops', () => {
  const stops = scrolled(300, { 50: plan(420) })
  const late = plan(300)
  assert.deepEqual([stops.add(449, 300, late), stops.add(450, 300, late)], [true, false])
  assert.equal(stops.error, -120)
  assert.equal(stops.add(1000, 310, late), true)
  assert.equal(stops.error, null)
})

test('an error is written in rows, rounded, in either direction', () => {
  const cases = [[0, 'exact'], [49, 'exact'], [-51, '1 row off'], [-240, '2 rows off'], [123_400, '1,234 rows off']]
  for (const [error, text] of cases) assert.equal(errorText(error, 100), text)
})

test('the possible error grows as the confidence falls, up to three screens', () => {
  const errors = [1, 0.8, 0.5, 0.3, 0.01, 0].map((confidence) => Math.round(possibleError(confidence, 800)))
  assert.deepEqual(errors, [0, 225, 900, 2100, 2400, 2400])
})
