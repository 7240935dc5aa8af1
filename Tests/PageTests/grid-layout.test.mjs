import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyTarget } from '../../Public/js/keys/grid-steps.js'
import { GridLayout } from '../../Public/js/layout/grid-layout.js'
import { DENSITIES, layoutOptions } from '../../Public/js/layout/layout-options.js'
import { groupedInRows } from '../../Public/js/layout/rows.js'
import { lastNotAbove, normalized } from '../../Public/js/layout/sections.js'
import { random } from './random.mjs'

/** A random gallery of a few sections, some of them empty. */
function gallery(next) {
  const sections = []
  let from = 0
  for (let left = 1 + Math.floor(next() * 12); left > 0; left--) {
    const count = next() < 0.2 ? 0 : next() < 0.5 ? 1 + Math.floor(next() * 3) : Math.floor(next() * 60)
    sections.push({ title: `Section ${left}`, from, count })
    from += count
  }
  return { sections, itemCount: from }
}

function* layouts(count) {
  const next = random(7)
  for (let round = 0; round < count; round++) {
    const { sections, itemCount } = gallery(next)
    const width = 200 + Math.floor(next() * 2000)
    const options = layoutOptions({ density: Math.floor(next() * DENSITIES.length), width, titled: next() < 0.5 })
    yield { layout: new GridLayout(options, width, sections, itemCount), itemCount, width, next }
  }
}

test('a full row fills the width to within a pixel, at every width and density', () => {
  for (let width = 160; width < 3000; width += 7) {
    for (let density = 0; density < DENSITIES.length; density++) {
      const { itemWidth, interitemSpacing, sectionInset } = layoutOptions({ density, width, titled: false })
      const { columns } = new GridLayout(layoutOptions({ density, width, titled: false }), width, normalized([], 10), 10)
      const used = columns * itemWidth + (columns - 1) * interitemSpacing + sectionInset.left + sectionInset.right
      assert.ok(used <= width && width - used < 1, `${width} px, density ${density}: ${used}`)
    }
  }
})

test('every item has one frame, inside the content and in the row that contains the item', () => {
  for (const { layout, itemCount, width } of layouts(100)) {
    const rows = layout.rows(0, layout.contentHeight)
    let item = 0
    for (const row of rows) {
      assert.equal(row.from, item)
      for (let index = 0; index < row.count; index++, item++) {
        const frame = layout.frame(item)
        assert.deepEqual([frame.x, frame.y], [row.cells[index * 4], row.y])
        assert.ok(frame.x >= 0 && frame.x + frame.width <= width && frame.y + frame.height <= layout.contentHeight)
      }
    }
    assert.equal(item, itemCount)
    assert.deepEqual(rows.map(({ index }) => index), rows.map((_, index) => index))
    assert.equal(layout.rowCount, rows.length)
  }
})

test('sections of one to three pictures share a row, and each title ends where the next one begins', () => {
  const sections = [2, 1, 3, 1, 20].map((count, index, all) => ({ title: `Section ${index}`, from: all.slice(0, index).reduce((a, b) => a + b, 0), count }))
  const options = { ...layoutOptions({ width: 1000, titled: true }), itemWidth: 190, itemHeight: 100 }
  const layout = new GridLayout(options, 1000, sections, 27) // four columns
  const row = (section) => layout.header(section).y
  assert.deepEqual([row(1) === row(0), row(2) > row(0), row(3) === row(2), row(4) > row(3)], [true, true, true, true])
  assert.deepEqual(layout.headers(0, layout.contentHeight).map(({ section }) => section), [0, 1, 2, 3, 4])
  assert.equal(layout.header(0).x + layout.header(0).width, layout.header(1).x)
  assert.equal(layout.header(1).x + layout.header(1).width, 1000)
  assert.deepEqual([layout.sideBySide(0), layout.sideBySide(1), layout.sideBySide(4)], [{ from: 0, to: 2 }, { from: 0, to: 2 }, { from: 4, to: 5 }])
  assert.equal(layout.sectionAt(row(1) + 1), 0)
  assert.deepEqual([layout.neighbour(2, 'down'), layout.neighbour(6, 'up'), layout.neighbour(6, 'down')], [5, 2, 10])
  assert.deepEqual(layout.rowEnds(1), { first: 0, last: 2 })
})

test('the items of a vertical range are those whose frames overlap it', () => {
  for (const { layout, itemCount, next } of layouts(100)) {
    if (!itemCount) continue
    const y0 = next() * layout.contentHeight
    const y1 = y0 + next() * 2000
    const { from, to } = layout.items(y0, y1)
    const overlapping = Array.from({ length: itemCount }, (_, item) => item).filter((item) => {
      const { y, height } = layout.frame(item)
      return y < y1 && y + height > y0
    })
    assert.deepEqual([from, to], overlapping.length ? [overlapping[0], overlapping.at(-1) + 1] : [0, 0])
  }
})

test('down leads to a lower row at the same column or left of it, up leads back, edges lead nowhere', () => {
  for (const { layout, itemCount } of layouts(100)) {
    for (let item = 0; item < itemCount; item++) {
      const down = layout.neighbour(item, 'down')
      if (down === null) {
        assert.equal(layout.rowEnds(item).last, itemCount - 1)
        continue
      }
      const [here, there] = [layout.frame(item), layout.frame(down)]
      assert.ok(there.y > here.y && there.x <= here.x)
      if (there.x === here.x) assert.equal(layout.neighbour(down, 'up'), item)
    }
    if (itemCount) assert.deepEqual([layout.neighbour(0, 'up'), layout.neighbour(0, 'left'), layout.neighbour(itemCount - 1, 'right')], [null, null, null])
  }
})

test('arrow keys move by a cell, Home and End to the ends, and page keys by a viewport', () => {
  const options = { itemWidth: 100, itemHeight: 90, lineSpacing: 10, interitemSpacing: 0, headerHeight: 0, sectionInset: { top: 0, left: 0, bottom: 0, right: 0 } }
  const layout = new GridLayout(options, 500, normalized([], 103), 103)
  const leads = (key, item, ctrlKey = false) => keyTarget({ key, ctrlKey }, layout, item, 400)
  assert.deepEqual(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => leads(key, 12)), [11, 13, 7, 17])
  assert.deepEqual([leads('Home', 12), leads('End', 12), leads('Home', 12, true), leads('End', 12, true)], [10, 14, 0, 102])
  assert.deepEqual([leads('PageDown', 12), leads('PageUp', 32), leads('PageUp', 2)], [27, 17, 2])
  assert.equal(leads('ArrowDown', 99), 102, 'the last row is shorter')
  assert.equal(leads('ArrowDown', 101), null)
  assert.equal(leads('x', 12), undefined)
})

test('frames of rows are grouped by their top, and frames of masonry by count', () => {
  const justified = groupedInRows([0, 10, 50, 40, 60, 10, 30, 40, 0, 60, 90, 40], 1000, 250, Infinity)
  assert.deepEqual(justified.rows.map(({ index, from, count, y, height }) => [index, from, count, y, height]), [[250, 1000, 2, 10, 40], [251, 1002, 1, 60, 40]])
  assert.deepEqual([...justified.rows[0].cells], [0, 0, 50, 40, 60, 0, 30, 40], 'positions are relative to the row')
  assert.deepEqual([...justified.firsts], [1000, 1002])
  const masonry = groupedInRows([0, 0, 50, 80, 60, 0, 50, 30, 60, 40, 50, 70], 0, 0, 2)
  assert.deepEqual(masonry.rows.map(({ from, count, y, height }) => [from, count, y, height]), [[0, 2, 0, 80], [2, 1, 40, 70]])
})

test('lastNotAbove returns the last index in a sorted list whose value is not above the argument, or 0', () => {
  assert.deepEqual([-1, 0, 4, 5, 9, 100].map((x) => lastNotAbove([0, 5, 5, 9], x)), [0, 0, 0, 2, 3, 3])
  assert.equal(lastNotAbove([], 3), 0)
})
