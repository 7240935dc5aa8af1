import assert from 'node:assert/strict'
import { test } from 'node:test'
import { side, sidesInAddress } from '../../Public/js/race/setup.js'
import { Tally } from '../../Public/js/race/tally.js'
import { none, verdict } from '../../Public/js/race/verdict.js'

test('blank share and settle time are reckoned as replay does', () => {
  const tally = new Tally()
  // 100 ms full, 100 ms half blank and moving fast, 200 ms a quarter blank at rest, then full again for 400.
  tally.frame(0, { cells: 20, blank: 0, top: 0 })
  tally.frame(100, { cells: 20, blank: 10, top: 50 })
  tally.frame(200, { cells: 20, blank: 5, top: 1050 })
  tally.frame(400, { cells: 20, blank: 0, top: 1050 })
  tally.frame(800, { cells: 20, blank: 20, top: 1060 })
  tally.finish(1000)
  // Cell-ms in view: 20 x 1000; blank: 10 x 100 + 5 x 200 + 20 x 200.
  assert.equal(tally.blankShare, 6000 / 20_000)
  // The 100 ms from 100 to 200 moved 1,000 px: too fast to look.
  assert.equal(tally.slowBlankShare, 5000 / 18_000)
  // The first stop begins at 200 and is full at 400; the last one begins at 800 and is never.
  assert.deepEqual(tally.settles, [200, 200])
  assert.equal(tally.settle, 200)
})

test('the verdict names the better one by what a person sees, and calls a draw a draw', () => {
  const named = (name, blank, slow, settle, waste) => ({ name, blank, slow, settle, waste })
  const [a, b] = [named('A', 0.3, 0.2, 150, 0.1), named('B', 0.05, 0.01, 0, 0.2)]
  const first = verdict([a, b])
  assert.equal(first.winner, 1)
  assert.equal(first.headline, 'less blank with B: A 30\u00a0% of the time, B 5.0\u00a0%.')
  assert.equal(first.ratio, '6.0×')
  assert.equal(first.details[1], 'Longest wait for a full screen after a stop: 150\u00a0ms and 0\u00a0ms.')
  const turned = verdict([b, a])
  assert.equal(turned.winner, 0)
  assert.equal(turned.headline, 'less blank with B: B 5.0\u00a0% of the time, A 30\u00a0%.', 'in the order of the sides')
  const draw = verdict([a, { ...a, name: 'C' }])
  assert.equal(draw.winner, null)
  assert.equal(draw.headline, 'A draw: 30\u00a0% and 30\u00a0% of what came into view was blank.')
  assert.equal(verdict([{ ...a, settle: 0 }, b]).details[1], 'Both were full as soon as they stopped.', 'a tie of zeros')
  assert.deepEqual([none('settle', [0, 20]), none('settle', [0, 150]), none('settle', [NaN, NaN])], [true, false, false])
})

test('the address names both sides, or gets those of the first race', () => {
  assert.deepEqual(sidesInAddress('glide, lookahead:off'), ['glide', 'lookahead:off'])
  assert.deepEqual(sidesInAddress('glide'), sidesInAddress(''))
  assert.equal(sidesInAddress(null), null)
  assert.deepEqual([side('lookahead:off').prefetching, side('glide').prefetching], [false, true])
})
