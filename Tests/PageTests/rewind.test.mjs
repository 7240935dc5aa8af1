import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blankCount, comparisonText } from '../../Public/js/dashboard/rewind.js'
import { Scroller } from '../../Public/js/scroll/scroller.js'
import { ScrollRecord } from '../../Public/js/waterfall/record.js'

globalThis.addEventListener ??= () => {}

const picture = (item, wanted, more = {}) => ({ item, top: item * 100, height: 100, wanted, requested: wanted, ...more })

test('cells are blank until their picture arrived', () => {
  const record = new ScrollRecord({ held: [[0, 2]], pictures: [picture(3, 0, { arrived: 50 }), picture(4, 0, { cancelled: 60 })] })
  assert.deepEqual([0, 49, 50].map((t) => blankCount(record, { from: 1, to: 6 }, t)), [3, 3, 2])
  assert.equal(blankCount(record, { from: 3, to: 3 }, 0), 0)
})

test('a simulation is compared with the record over the time of the record', () => {
  const exposure = (blank) => [{ t: 0, visible: 10, blank }, { t: 1000, visible: 10, blank: 10 }]
  const samples = [{ t: 0, y: 0 }]
  const recorded = new ScrollRecord({ samples, exposure: exposure(1).slice(0, 1), end: 1000, pictures: [picture(1, 0, { arrived: 5, seen: 6 }), picture(2, 0, { arrived: 9 })] })
  const simulated = new ScrollRecord({ samples, exposure: exposure(3), end: 2000 })
  assert.equal(comparisonText(recorded, simulated), 'Blank 10% as recorded, 30% simulated. Fetched but never viewed 50% and –.')
})

test('a copy of a record stays as it is', () => {
  const live = new ScrollRecord({ start: 100, held: [[8, 9]], pictures: [picture(3, 0)], samples: [{ t: 0, y: 5 }], exposure: [{ t: 0, visible: 4, blank: 2 }] })
  live.add({ t: 20, y: 50, phase: 'wheel', visible: 6, blank: 3 })
  const copy = live.copy()
  assert.deepEqual([copy.start, copy.end, copy.samples, copy.pictures], [live.start, live.end, live.samples, live.pictures])
  assert.ok(copy.isLoaded(8, 0))
  live.add({ t: 40, y: 90, visible: 6, blank: 0 })
  live.merge({ end: 60, pictures: [picture(3, 0, { arrived: 50 }), picture(4, 55)] })
  assert.deepEqual([copy.end, copy.samples.length, copy.pictures.length, copy.isLoaded(3, 60)], [20, 2, 1, false])
})

test('a record can count its times from another start', () => {
  const document = {
    start: 1500, end: 100, samples: [{ t: 0, y: 7 }], exposure: [{ t: 10, visible: 4, blank: 1 }], stops: [{ t: 20, y: 9, confidence: 1 }],
    pictures: [picture(3, 30, { arrived: 40 })],
  }
  const record = new ScrollRecord(document, 1000)
  assert.deepEqual([record.start, record.beginning, record.end], [1000, 500, 600])
  assert.deepEqual(record.samples.map(({ t, y, blank }) => [t, y, blank]), [[500, 7, 0], [510, 7, 1]])
  assert.deepEqual([record.stops[0].t, record.pictures[0].wanted, record.pictures[0].arrived], [520, 530, 540])
})

/** A scroller over an element that reports each change of its scroll position with an event, as browsers do. */
function scene() {
  class Element extends EventTarget {
    clientHeight = 500
    scrollTop = 0
    scrollBy(px) {
      this.scrollTop += px
      this.dispatchEvent(new Event('scroll'))
    }
  }
  const element = new Element()
  const movements = []
  const { signal } = new AbortController()
  const scroller = new Scroller(element, { style: {} }, [], { moved: (movement) => movements.push(movement), replaced() {} }, signal)
  scroller.resize(10_000, 500, 3000)
  scroller.lookAt(1000)
  return { scroller, element, movements, places: () => [scroller.top, scroller.home, scroller.isAway] }
}

test('the page shows another position without a movement, and returns to the own one', () => {
  const { scroller, element, movements, places } = scene()
  element.dispatchEvent(new Event('scroll'))
  assert.deepEqual(places(), [1000, 3000, true])
  scroller.lookAt(2000)
  assert.deepEqual([places(), element.scrollTop], [[2000, 3000, true], 2000])
  scroller.lookAt(null)
  assert.deepEqual([places(), element.scrollTop], [[3000, 3000, false], 3000])
  assert.deepEqual(movements, [])
})

test('a movement continues from the position on show', () => {
  const scrolled = scene()
  scrolled.element.scrollBy(40)
  assert.deepEqual(scrolled.places(), [1040, 1040, false])
  assert.deepEqual(scrolled.movements, [{ delta: 40, jump: true }], 'the own position has jumped')
  scrolled.element.scrollBy(40)
  assert.equal(scrolled.movements[1].jump, false)
  const jumped = scene()
  jumped.scroller.jump(1000)
  assert.deepEqual([jumped.places(), jumped.movements.length], [[1000, 1000, false], 1], 'even if the position on show stays')
})

test('a new layout ends the look at another position', () => {
  const { scroller, places } = scene()
  scroller.resize(20_000, 500, scroller.home)
  assert.deepEqual(places(), [3000, 3000, false])
})
