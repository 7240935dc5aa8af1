import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimatedBytes, sampledPages } from '../../Public/js/select/archive.js'
import { Ranges, SelectedItems } from '../../Public/js/select/ranges.js'
import { random } from './random.mjs'

test('ranges contain the same items as a set after random changes', () => {
  const next = random(3)
  for (let round = 0; round < 300; round++) {
    let ranges = new Ranges()
    const set = new Set()
    for (let step = 0; step < 40; step++) {
      const from = Math.floor(next() * 30)
      const to = from + Math.floor(next() * 6)
      const way = next()
      if (way < 0.4) {
        ranges = ranges.adding(from, to)
        for (let item = from; item < to; item++) set.add(item)
      } else if (way < 0.7) {
        ranges = ranges.removing(from, to)
        for (let item = from; item < to; item++) set.delete(item)
      } else {
        ranges = ranges.toggling(from)
        if (!set.delete(from)) set.add(from)
      }
      assert.equal(ranges.count, set.size)
      for (let item = -1; item < 40; item++) assert.equal(ranges.has(item), set.has(item))
      assert.equal(ranges.hasAll(from, to), Array.from({ length: to - from }, (_, index) => from + index).every((item) => set.has(item)))
      assert.ok(ranges.list.every(({ from, to }, index) => from < to && (index === 0 || ranges.list[index - 1].to < from)), 'sorted, without touching')
      assert.deepEqual(ranges.first(100), [...set].sort((a, b) => a - b))
    }
  }
})

test('a selection of a million items is one range', () => {
  const selected = new SelectedItems()
  selected.all(1_000_000)
  assert.deepEqual(selected.ranges.list, [{ from: 0, to: 1_000_000 }])
  selected.toggle(500)
  assert.equal(selected.ranges.count, 999_999)
  assert.equal(selected.ranges.list.length, 2)
  assert.equal(selected.ranges.first(3).length, 3)
})

test('Shift extends from the last toggled item, and a second Shift replaces the first extension', () => {
  const selected = new SelectedItems()
  selected.toggle(2)
  selected.toggle(10)
  selected.extend(14)
  assert.deepEqual(selected.ranges.list, [{ from: 2, to: 3 }, { from: 10, to: 15 }])
  selected.extend(7)
  assert.deepEqual(selected.ranges.list, [{ from: 2, to: 3 }, { from: 7, to: 11 }])
  selected.clear()
  selected.extend(5, 3)
  assert.deepEqual(selected.ranges.list, [{ from: 3, to: 6 }])
  selected.extend(1)
  assert.deepEqual(selected.ranges.list, [{ from: 1, to: 4 }])
})

test('toggling a section selects or deselects all of it, and keeps the rest of the selection', () => {
  const selected = new SelectedItems()
  selected.toggle(2)
  selected.toggle(12)
  selected.toggleRange(10, 20)
  assert.deepEqual(selected.ranges.list, [{ from: 2, to: 3 }, { from: 10, to: 20 }])
  selected.toggleRange(10, 20)
  assert.deepEqual(selected.ranges.list, [{ from: 2, to: 3 }])
})

test('the size of a selection is exact if all sizes are known, and otherwise an estimate', () => {
  const ranges = new Ranges([{ from: 1, to: 3 }, { from: 200, to: 201 }])
  const pages = (...sizes) => sizes.map((items, page) => ({ from: page * 200, items: items.map((bytes) => ({ bytes })) }))
  assert.deepEqual(sampledPages(ranges), [0, 1])
  assert.equal(estimatedBytes(pages([9, 10, 20, 9], [30, 9]), ranges), 60)
  assert.equal(estimatedBytes(pages([9, 10, 20, 9], [undefined]), ranges), 45)
  assert.equal(estimatedBytes(pages([9, undefined, undefined], [undefined]), ranges), null)
  const all = sampledPages(new Ranges([{ from: 0, to: 10_000_000 }]))
  assert.ok(all.length <= 8 && all[0] === 0 && all.at(-1) > 40_000, 'a few pages between the first and the last')
})
