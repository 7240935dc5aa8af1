import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { policyTitle } from '../../Public/js/dashboard/policies.js'
import { isBusy } from '../../Public/js/race/computer-load.js'
import { LineUse, wasLimit } from '../../Public/js/race/line-use.js'
import { BLURRING, paneLayout, RACES, side, sidesInAddress } from '../../Public/js/race/setup.js'
import { Tally } from '../../Public/js/race/tally.js'
import { better, isEnough, none, verdict } from '../../Public/js/race/verdict.js'

test('a tally computes the blank shares and settle times of a scroll', () => {
  const tally = new Tally()
  // 100 ms full, 100 ms half blank in fast movement, 200 ms a quarter blank at rest, 400 ms full, 200 ms blank.
  tally.frame(0, { cells: 20, blank: 0, top: 0 })
  tally.frame(100, { cells: 20, blank: 10, top: 50 })
  tally.frame(200, { cells: 20, blank: 5, top: 1050 })
  tally.frame(400, { cells: 20, blank: 0, top: 1050 })
  tally.frame(800, { cells: 20, blank: 20, top: 1060 })
  tally.finish(1000)
  // Cells × ms in view: 20 × 1000. Blank: 10 × 100 + 5 × 200 + 20 × 200.
  assert.equal(tally.blankShare, 6000 / 20_000)
  // Between 100 and 200 ms the content moved 1,000 px, too fast to count as slow.
  assert.equal(tally.slowBlankShare, 5000 / 18_000)
  // The first stop begins at 200 ms, and the view is full at 400 ms. After the last stop at 800 ms it never fills.
  assert.deepEqual(tally.settles, [200, 200])
  assert.equal(tally.settle, 200)
})

test('a computer is busy if it draws few frames or many pictures wait to be rendered', () => {
  const frames = (count, duration) => Array(count).fill(duration)
  const cases = [
    ['a quiet run', frames(600, 16), [0, 0, 3, 0], false],
    ['long frames for less than half of the time', [...frames(10, 250), ...frames(120, 25)], [], false],
    ['a weak computer', frames(120, 150), [], false],
    ['a run with one single long frame', [...frames(300, 16), 5000], [0], false],
    ['a busy run', frames(50, 250), [], true],
    ['long frames for more than half of the time', [...frames(20, 250), ...frames(120, 25)], [], true],
    ['stalls between short frames', [...frames(100, 16), ...frames(20, 500)], [], true],
    ['a deep render queue', frames(600, 16), [40, 60, 80, 90, 2], true],
    ['a render queue that was deep once', frames(600, 16), [0, 200], false],
    ['nothing measured', [], [], false],
  ]
  for (const [title, times, queue, expected] of cases) assert.equal(isBusy(times, queue), expected, title)
})

const named = (name, blank, slow, settle, waste, line = NaN) => ({ name, blank, slow, settle, waste, line })
const [a, b] = [named('A', 0.29, 0.2, 1150, 0.1), named('B', 0.042, 0.01, 0, 0.2)]

test('the verdict names the side with less blank, and the difference in percentage points', () => {
  const first = verdict([a, b])
  assert.deepEqual([first.winner, first.points], [1, '25'])
  assert.equal(first.headline, 'points apart: B 4.2% blank, A 29%.', 'the better side comes first')
  assert.deepEqual(first.details, [
    'While the scroll was slow: 1.0% vs. 20% blank.', 'Longest wait for a full screen after a stop: 0\u00a0ms vs. 1.1\u00a0s.',
    'Fetched but never viewed: 20% vs. 10% of the bytes.',
  ])
  const turned = verdict([b, a])
  assert.equal(turned.winner, 0)
  assert.equal(turned.headline, first.headline, 'the order of the sides does not matter')
  assert.equal(verdict([{ ...a, settle: 0 }, b]).details[1], 'Both screens were full at every stop.', 'both times are zero')
  assert.deepEqual([none('settle', [0, 20]), none('settle', [0, 150]), none('settle', [NaN, NaN])], [true, false, false])
})

test('a difference of less than two points in blank share is a draw', () => {
  const draw = verdict([named('A', 0.3, 0.2, 0, 0), named('B', 0.286, 0.2, 0, 0)])
  assert.deepEqual([draw.winner, draw.points], [null, ''])
  assert.equal(draw.headline, 'A draw: A 30% blank, B 29%.')
  assert.equal(verdict([named('A', 0, 0, 0, 0), named('B', 0, 0, 0, 0)]).headline, 'A draw: nothing was blank on either side.')
  assert.deepEqual([[0.05, 0.069], [0.05, 0.07], [0.5, 0.48], [0.5, 0.49]].map((both) => better('blank', both)), [null, 0, 1, null])
  assert.deepEqual([[400, 410], [400, 500]].map((both) => better('settle', both)), [null, 0])
})

test('the verdict states that the network was the limit if both sides used all of it', () => {
  const draw = verdict([named('A', 0.49, 0.5, 900, 0.1, 0.97), named('B', 0.5, 0.5, 900, 0.1, 0.92)], 12.5)
  assert.equal(draw.headline, 'A draw, both were limited by the network: A 49% blank, B 50%.')
  assert.equal(draw.details[0], 'Downloads used 97% and 92% of their 12.5\u00a0Mbit/s while cells were blank.')
  const won = verdict([{ ...a, blank: 0.6, line: 0.9 }, { ...b, blank: 0.4, line: 1 }], 5)
  assert.equal(won.winner, 1)
  assert.equal(won.details[0], 'Both were limited by the network: downloads used 100% and 90% of their 5\u00a0Mbit/s while cells were blank.')
  const isNamed = (...sides) => /network/.test(JSON.stringify(verdict(sides, 5)))
  for (const line of [0.5, NaN]) assert.ok(!isNamed({ ...a, line: 1 }, { ...a, line }))
  assert.ok(!isNamed({ ...a, line: 1 }, { ...b, line: 1 }), 'one side had little blank on the same network, so the network was not the limit')
})

test('network use is measured only while cells are blank', () => {
  const stats = (time, blankTime, fetchedBytes) => ({ time, blankTime, visibleTime: 10 * time, counts: { fetchedBytes } })
  const line = new LineUse()
  const bandwidth = 8 // 1,000 bytes a ms
  assert.ok(Number.isNaN(line.share(bandwidth)))
  line.add(stats(1000, 0, 0))
  line.add(stats(2000, 0, 0)) // nothing blank and nothing fetched
  assert.ok(Number.isNaN(line.share(bandwidth)), 'nothing was blank')
  line.add(stats(3000, 5000, 900_000)) // half blank, 90 % used
  assert.equal(line.share(bandwidth), 0.9)
  line.add(stats(4000, 6000, 1_000_000)) // a tenth blank, 10 % used
  assert.ok(Math.abs(line.share(bandwidth) - 0.46 / 0.6) < 1e-9)
  assert.ok(Math.abs(line.share(bandwidth, 1000) - 0.1) < 1e-9, 'only the last second')
  assert.deepEqual([0.9, 0.5, NaN].map((use) => wasLimit(use, 0.1, true)), [true, false, false])
  assert.deepEqual([0.01, 0.1, 0.3].map((blank) => [wasLimit(1, blank, true), wasLimit(1, blank, false)]), [[false, false], [true, false], [true, true]])
  assert.ok(Number.isNaN(line.share(Infinity)), 'the bandwidth is unlimited')
  const shared = new LineUse()
  const seconds = [1000, 2000].map((time) => ({ time, blankTime: time, visibleTime: time, counts: {}, server: { bytesPerSecond: 500_000 } }))
  for (const second of seconds) shared.add(second)
  assert.equal(shared.share(bandwidth), 0.5, 'share of the total of the server')
})

test('a pane shows about 25 cells at every size, each roughly in the shape of a picture', () => {
  for (const [width, height] of [[614, 500], [694, 600], [934, 780], [486, 440], [1254, 1140], [366, 200], [410, 200]]) {
    const { itemWidth, itemHeight, lineSpacing, interitemSpacing, sectionInset } = paneLayout(width, height)
    const columns = Math.floor((width - sectionInset.left - sectionInset.right + interitemSpacing) / (itemWidth + interitemSpacing))
    const cells = columns * (height / (itemHeight + lineSpacing))
    assert.ok(Math.abs(cells - 25) < 0.5, `${cells} at ${width} x ${height}`)
    assert.ok(itemWidth / itemHeight > 0.85 && itemWidth / itemHeight < 2, `${itemWidth} x ${itemHeight}`)
  }
})

test('the address names both sides of a race, and otherwise the default sides race', () => {
  assert.deepEqual(sidesInAddress('glide, lookahead:off'), ['glide', 'lookahead:off'])
  assert.deepEqual(sidesInAddress('glide'), sidesInAddress(''))
  assert.equal(sidesInAddress(null), null)
  assert.deepEqual([side('lookahead:off').prefetching, side('glide').prefetching], [false, true])
})

test('Lookahead and Immich show blurs, and the other rivals do not', () => {
  assert.deepEqual(['lookahead', 'immich', 'collection-view', 'photo-kit', 'glide'].map((name) => BLURRING.has(name)), [true, true, false, false, false])
})

test('a tally computes the share of empty cells apart from the share of blank cells', () => {
  const tally = new Tally()
  tally.frame(0, { cells: 10, blank: 10, empty: 4, top: 0 })
  tally.frame(100, { cells: 10, blank: 5, empty: 0, top: 0 })
  tally.finish(200)
  assert.equal(tally.blankShare, 0.75)
  assert.equal(tally.emptyShare, 0.2)
})

test('the verdict states the share of empty cells if known', () => {
  const side = { name: 'A', blank: 0.3, slow: 0.2, settle: 100, waste: 0.1 }
  const both = (left, right) => verdict([{ ...side, empty: left }, { ...side, name: 'B', blank: 0.04, empty: right }]).details
  assert.ok(both(0.3, 0).includes('Cells were empty, without even a blur, for 0% vs. 30% of the time.'))
  assert.ok(both(0, 0).includes('No cell was empty: each was blurred until it was loaded.'))
  assert.ok(!both(undefined, undefined).some((text) => text.includes('blur')))
})

test('a manual scroll is long enough to compare after one screen, in either direction', () => {
  const tally = new Tally()
  tally.frame(0, { cells: 10, blank: 0, top: 200 })
  assert.equal(isEnough(tally.distance, 500), false, 'the scroll has just begun')
  tally.frame(16, { cells: 10, blank: 0, top: 300 })
  assert.equal(isEnough(tally.distance, 500), false)
  tally.frame(32, { cells: 10, blank: 0, top: 600 })
  tally.frame(48, { cells: 10, blank: 0, top: 500 })
  assert.equal(tally.distance, 500, 'upward movement counts too')
  assert.deepEqual([isEnough(tally.distance, 500), isEnough(0, 0)], [true, false])
})

test('race.css keeps the form on one line from 900 px on', () => {
  const sheet = readFileSync(new URL('../../Public/css/race.css', import.meta.url), 'utf8')
  assert.match(sheet, /@media \(width >= 900px\) \{\s*#race form \{ flex-wrap: nowrap; \}/)
})

test('each rival has the same name in the race menu, over its pane and in the dashboard', () => {
  for (const { title, sides } of RACES) assert.equal(title, sides.map((text) => side(text).name).join(' vs. '))
  assert.equal(RACES[0].title, 'iOS app vs. Lookahead')
  const policies = ['lookahead', 'collection-view', 'operation-queue', 'scroll-end', 'chromium-lazy', 'photo-kit', 'immich', 'texture', 'glide', 'dwell']
  for (const policy of policies) {
    assert.notEqual(policyTitle(policy), policy)
    assert.equal(side(policy).name, policyTitle(policy))
    assert.equal(side(`${policy}:off`).name, `${policyTitle(policy)}, prefetching off`)
    assert.ok(side(policy).how, policy)
  }
  assert.equal(new Set(policies.map(policyTitle)).size, policies.length)
})
