import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ScrollRecord } from '../../Public/js/waterfall/record.js'

const viewport = { width: 800, height: 600 }
const sample = (t, y = 0, blank = 0, visible = 10) => ({ t, y, phase: 'wheel', visible, blank })
const picture = (item, wanted, more = {}) => ({ item, top: item * 100, height: 100, wanted, reason: 'landing', ...more })

test('the blank share is weighted by time', () => {
  const record = new ScrollRecord({ viewport, end: 1000, samples: [{ t: 0, y: 0 }, { t: 200, y: 0 }], exposure: [sample(0, 0, 10), sample(100, 0, 5), sample(300, 0, 0)] })
  assert.equal(record.blankShare(), (10 * 100 + 5 * 200) / 10_000)
  assert.equal(record.blankShare(50, 150), (10 * 50 + 5 * 50) / 1000)
  assert.equal(record.blankShare(300, 1000), 0)
  assert.ok(Number.isNaN(new ScrollRecord({}).blankShare()), 'no cell was visible')
})

test('the waste is the share of bytes nobody has seen, or of pictures if bytes are unknown', () => {
  const pictures = [
    picture(0, 0, { requested: 1, arrived: 2, seen: 3, bytes: 300 }), picture(1, 0, { requested: 1, arrived: 2, bytes: 100 }),
    picture(2, 0, { requested: 1, cancelled: 2, bytes: 100 }), picture(3, 0, { cancelled: 2 }), picture(4, 0, { requested: 1 }),
  ]
  assert.equal(new ScrollRecord({ pictures }).wasteShare(), 200 / 500)
  assert.equal(new ScrollRecord({ pictures: pictures.map(({ bytes, ...rest }) => rest) }).wasteShare(), 2 / 3)
  assert.ok(Number.isNaN(new ScrollRecord({}).wasteShare()))
})

test('an event updates known pictures and adds others', () => {
  const record = new ScrollRecord({ start: 1000, pictures: [picture(7, 10)] })
  const [known] = record.pictures
  const { revision } = record
  record.merge({ end: 200, pictures: [picture(7, 10, { requested: 20 }), picture(7, 150), picture(8, 30)] })
  assert.deepEqual(record.pictures.map(({ item, wanted }) => [item, wanted]), [[7, 10], [8, 30], [7, 150]])
  assert.equal(record.pictures[0], known, 'the object stays, so that a selection stays')
  assert.equal(known.requested, 20)
  assert.equal(record.end, 200)
  assert.ok(record.revision > revision)
})

test('an event may count its times from a later start', () => {
  const record = new ScrollRecord({ start: 1000, pictures: [picture(7, 610)] })
  record.merge({ start: 1600, end: 100, pictures: [picture(7, 10.04, { requested: 20, arrived: 30 })], stops: [{ t: 5, y: 1, confidence: 1 }] })
  assert.equal(record.pictures.length, 1)
  assert.deepEqual([record.pictures[0].requested, record.pictures[0].arrived, record.end, record.stops[0].t], [620, 630, 700, 605])
})

test('everything more than a minute before the end is dropped', () => {
  const pictures = [picture(1, 0, { arrived: 10 }), picture(2, 0, { arrived: 10, seen: 15_000 }), picture(3, 50_000)]
  const record = new ScrollRecord({ samples: [sample(0, 5), sample(1000, 6), sample(50_000, 7)], stops: [{ t: 0, y: 9, confidence: 1 }], pictures })
  record.add(sample(70_000, 8))
  assert.deepEqual(record.pictures.map(({ item }) => item), [2, 3])
  assert.deepEqual(record.samples.map(({ t, y }) => [t, y]), [[10_000, 6], [50_000, 7], [70_000, 8]], 'the position at the new beginning stays')
  assert.deepEqual([record.stopAt(10_000).y, record.stopAt(9000)], [9, undefined])
  assert.ok(record.isLoaded(1, 70_000), 'the page still has a picture that was dropped from the record')
})

test('a record has at most 4,096 pictures and 3,600 samples', () => {
  const record = new ScrollRecord({})
  for (let index = 0; index < 4000; index++) record.add(sample(index, index))
  record.merge({ end: 5000, pictures: Array.from({ length: 5000 }, (_, index) => picture(index, index)) })
  assert.deepEqual([record.samples.length, record.pictures.length], [3600, 4096])
  assert.deepEqual([record.samples.at(-1).t, record.pictures.at(-1).item], [3999, 4999])
})

test('samples without a change only move the end', () => {
  const record = new ScrollRecord({})
  for (const t of [0, 16, 33]) record.add(sample(t, 5))
  assert.deepEqual([record.samples.length, record.end], [1, 33])
})

test('the position between two samples is interpolated, unless the scroll paused', () => {
  const record = new ScrollRecord({ samples: [sample(0, 0), sample(20, 100), sample(520, 900)] })
  assert.deepEqual([-5, 0, 5, 20, 400, 520, 900].map((t) => record.yAt(t)), [0, 0, 25, 100, 100, 900, 900])
  assert.equal(new ScrollRecord({}).yAt(0), 0)
})

test('a picture is loaded from its arrival on, or if the page had it before', () => {
  const record = new ScrollRecord({ held: [[3, 5]], pictures: [picture(7, 10, { arrived: 50 })] })
  assert.deepEqual([[4, 0], [6, 0], [7, 40], [7, 50]].map(([item, t]) => record.isLoaded(item, t)), [true, false, false, true])
})

test('the pictures of a row share its height', () => {
  const row = [10, 11, 13].map((item) => ({ ...picture(item, 0), top: 400 }))
  const record = new ScrollRecord({ pictures: row })
  assert.deepEqual(row.map((picture) => record.bar(picture)), [{ top: 400, height: 25 }, { top: 425, height: 25 }, { top: 475, height: 25 }])
})

test('a point finds the nearest bar within its tolerance', () => {
  const record = new ScrollRecord({ end: 500, pictures: [picture(0, 0, { arrived: 100 }), picture(2, 0, { arrived: 100 }), picture(5, 300)] })
  const found = (t, y, tolerance) => record.pictureAt(t, y, tolerance)?.item ?? null
  assert.deepEqual([found(50, 50), found(50, 250), found(50, 150), found(101, 50)], [0, 2, null, null])
  assert.deepEqual([found(110, 50, { t: 20, y: 5 }), found(130, 50, { t: 20, y: 5 }), found(50, 196, { t: 20, y: 5 })], [0, null, 2])
  assert.deepEqual([found(480, 550), found(520, 550)], [5, null], 'a pending bar reaches to the end')
})

test('the bounds contain the viewport and the pictures between two times', () => {
  const record = new ScrollRecord({ viewport, samples: [sample(0, 0), sample(100, 2000), sample(200, 500)], pictures: [picture(50, 150, { arrived: 180 })] })
  assert.deepEqual(record.bounds(), { top: 0, bottom: 5100 })
  assert.deepEqual(record.bounds(190, 300), { top: 500, bottom: 2600 })
  assert.deepEqual(new ScrollRecord({ viewport }).bounds(), { top: 0, bottom: 600 })
})
