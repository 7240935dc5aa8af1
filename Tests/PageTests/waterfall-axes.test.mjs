import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Axes, roundStep, ticks, timeText } from '../../Public/js/waterfall/axes.js'

function axes() {
  const axes = new Axes()
  axes.resize({ left: 100, top: 0, width: 500, height: 200 })
  axes.limit({ from: 0, to: 10_000, top: 0, bottom: 4000 })
  axes.fit()
  return axes
}

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-6, `${actual}, expected ${expected}`)

test('the whole record fits into the plot', () => {
  const { x, y, timeAt, placeAt } = axes()
  assert.deepEqual([x(0), x(10_000), y(0), y(4000)], [100, 600, 0, 200])
  assert.deepEqual([timeAt(350), placeAt(50)], [5000, 1000])
})

test('the point under the pointer stays in place during a zoom', () => {
  const zoomed = axes()
  zoomed.zoom(4, 250, 150)
  near(zoomed.timeAt(250), 3000)
  near(zoomed.placeAt(150), 3000)
  near(zoomed.view.to - zoomed.view.from, 2500)
  zoomed.zoom(1e9, 250, 150)
  near(zoomed.timeAt(250), 3000)
  near(zoomed.view.to - zoomed.view.from, 20)
  zoomed.zoom(1e-9, 250, 150)
  assert.deepEqual(zoomed.view, { from: 0, to: 10_000, top: 0, bottom: 4000 })
})

test('a pan moves the content with the pointer, and stops at the ends', () => {
  const panned = axes()
  panned.pan(50, 0)
  assert.equal(panned.view.from, 0)
  panned.zoom(2, 350, 100)
  panned.pan(25, -10)
  near(panned.view.from, 2250)
  near(panned.view.top, 1100)
  panned.pan(-1e6, 1e6)
  assert.deepEqual(panned.view, { from: 5000, to: 10_000, top: 0, bottom: 2000 })
})

test('the newest moment stays at the right edge until the person pans', () => {
  const live = axes()
  live.isFollowing = true
  live.span = 4000
  assert.equal(live.follow(8000, { top: 0, bottom: 1000 }, false), true)
  assert.deepEqual(live.view, { from: 4000, to: 8000, top: 0, bottom: 1000 })
  assert.equal(live.follow(8000, { top: 0, bottom: 1000 }, false), false)
  live.follow(3000, { top: 0, bottom: 1000 }, false)
  assert.deepEqual([live.view.from, live.view.to], [0, 4000], 'nothing is before the beginning')
  live.zoom(2, 100, 0)
  live.follow(9000, { top: 0, bottom: 1000 }, false)
  assert.deepEqual([live.view.from, live.view.to, live.isFollowing], [7000, 9000, true], 'a zoom changes only the span')
  live.pan(10, 0)
  assert.equal(live.isFollowing, false)
})

test('positions glide to their bounds', () => {
  const live = axes()
  live.isFollowing = true
  live.span = 1000
  let frames = 0
  while (live.follow(5000, { top: 2000, bottom: 3000 })) frames++
  assert.ok(frames > 5 && frames < 60, `${frames} frames`)
  assert.deepEqual([live.view.top, live.view.bottom], [2000, 3000])
})

test('ticks have round numbers', () => {
  assert.deepEqual([[100, 5], [60_000, 5], [7, 10], [0.9, 3]].map(([span, count]) => roundStep(span, count)), [20, 20_000, 1, 0.5])
  assert.deepEqual(ticks(-3, 11, 5), [0, 5, 10])
  assert.deepEqual(ticks(5, 10, 5), [5, 10])
  assert.deepEqual(ticks(6, 9, 5), [])
})

test('times are as exact as the ticks', () => {
  const cases = [[5000, 1000, '5 s'], [5200, 200, '5.2 s'], [5020, 20, '5.02 s'], [65_000, 1000, '1:05'], [65_200, 200, '1:05.2'], [125_004, 2, '2:05.004']]
  for (const [t, step, text] of cases) assert.equal(timeText(t, step), text.replace(' ', '\u00a0'))
})
