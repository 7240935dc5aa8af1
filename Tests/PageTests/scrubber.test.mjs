import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dated, labelsOf, placeLabels, shortened } from '../../Public/js/scrubber/labels.js'
import { Marks } from '../../Public/js/scrubber/marks.js'
import { Scale } from '../../Public/js/scrubber/scale.js'
import { random } from './random.mjs'

const read = (titles) => labelsOf(titles.map((title) => ({ title }))).map(({ head, tail, year }) => [head, tail, year])

test('a long title is cut between words, keeps its end, and fits the rail unless its words are too long', () => {
  assert.deepEqual(read(['Wallpapers of the coast 2019', 'A', 'Wallpapers_of_the_coast_2020']), [
    ['Wallpapers…', ' 2019', null], ['A', '', null], ['Wallpapers…', '_2020', null],
  ])
  assert.deepEqual(shortened('Birds and bees of the south'), ['Birds…', ' south'])
  assert.deepEqual(shortened('2018/Bled/Day'), ['2018/Bled/Day', ''])
  assert.deepEqual(shortened('Holidays/Slovenia/Bled/Day 2'), ['Holidays…', '/Day 2'])
  assert.deepEqual(shortened('Llanfairpwllgwyngyll'), ['Llanfairpwll', 'gwyngyll'])
  const next = random(5)
  for (let round = 0; round < 200; round++) {
    const title = Array.from({ length: 1 + Math.floor(next() * 8) }, () => 'x'.repeat(1 + Math.floor(next() * 7))).join(' ')
    const [head, tail] = shortened(title)
    const isCut = head.endsWith('…')
    assert.ok(isCut ? head.length + tail.length <= 16 && title.startsWith(head.slice(0, -1)) && title.endsWith(tail) : head + tail === title)
    if (isCut) assert.ok(title[head.length - 1] === ' ' && tail.startsWith(' '), `${title}: ${head}${tail}`)
  }
})

test('a month label is placed only below the label of its own year', () => {
  const next = random(12)
  for (let round = 0; round < 200; round++) {
    const months = Array.from({ length: 12 * 30 }, (_, index) => `${2000 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`).filter(() => next() < 0.5)
    const labels = labelsOf(months.map((title) => ({ title })))
    const shares = months.map(() => next() ** 6)
    const sum = shares.reduce((a, b) => a + b)
    let at = 0
    const starts = shares.map((one) => ((at += one), (at - one) / sum))
    const placed = placeLabels(labels, (section) => Math.round(starts[section] * 400), 400).sort((a, b) => a.y - b.y)
    let year = null
    for (const { label } of placed) {
      if (label.year !== null) year = label.year
      assert.equal(year, label.within)
    }
    assert.ok(placed.length > 2)
  }
})

test('titles with dates in order become years and months', () => {
  assert.deepEqual(read(['2024-05', '2024-06 Rome', 'May 2025']), [['May', '', 2024], ['Jun · Rome', '', null], ['May', '', 2025]])
})

test('titles with dates out of order are not grouped by year', () => {
  assert.ok(read(['May 2025', 'June 2020', 'July 2023']).every(([, , year]) => year === null))
})

test('a date is parsed at the start or the end of a name, and in the last folder of a path', () => {
  assert.deepEqual(dated('2024-05-17'), { year: 2024, month: 4, place: '' })
  assert.deepEqual(dated('Photos/2023/2023-11 Wien'), { year: 2023, month: 10, place: 'Wien' })
  assert.deepEqual(dated('Lisbon, October 2024'), { year: 2024, month: 9, place: 'Lisbon' })
  assert.equal(dated('IMG_2019'), null)
})

test('labels are placed at the start of their section without overlap, and years take precedence', () => {
  const next = random(11)
  for (let round = 0; round < 200; round++) {
    const labels = Array.from({ length: Math.floor(next() * 300) }, (_, section) => ({ head: `Section ${section}`, tail: '', year: next() < 0.1 ? 2000 + section : null, within: null }))
    const height = 100 + Math.floor(next() * 900)
    const yOf = (section) => Math.round((section / labels.length) * height)
    const placed = placeLabels(labels, yOf, height)
    const places = placed.map(({ y }) => y).sort((a, b) => a - b)
    assert.ok(places.every((y, index) => y <= height - 24 && (index === 0 || y - places[index - 1] >= 24)))
    for (const { section, y } of placed) assert.equal(y, yOf(section))
    const firstYear = labels.findIndex(({ year }, section) => year !== null && yOf(section) <= height - 24)
    if (firstYear >= 0) assert.equal(placed[0].section, firstYear)
  }
})

test('ten thousand sections get more than 25 labels, and no more than fit', () => {
  const labels = Array.from({ length: 10_000 }, (_, section) => ({ head: String(section), tail: '', year: null, within: null }))
  const placed = placeLabels(labels, (section) => Math.round((section / 10_000) * 900), 900)
  assert.ok(placed.length > 25 && placed.length <= 900 / 24)
})

/** A random gallery of sections with very different heights: marks, scale and placed labels of its rail. */
function rail(next) {
  const heights = Array.from({ length: 2 + Math.floor(next() * 60) }, () => 100 + Math.floor(next() ** 6 * 200_000))
  const sections = heights.map((_, from) => ({ title: `Section ${from}`, from, count: 1 }))
  const starts = heights.map((_, section) => heights.slice(0, section).reduce((a, b) => a + b, 0))
  const contentHeight = heights.reduce((a, b) => a + b)
  const marks = new Marks(/** @type {any} */ ({ sections, contentHeight, header: (section) => ({ y: starts[section] }) }), null)
  const limit = Math.max(0, contentHeight - 800)
  const scale = new Scale({ extent: contentHeight, limit, height: 860, line: 16 })
  return { marks, limit, contentHeight, scale, placed: placeLabels(marks.labels, (mark) => scale.yOf(marks.tops[mark]), 860) }
}

test('the marker of a section is beside its label, and a press on any line of the label finds it', () => {
  const next = random(31)
  for (let round = 0; round < 200; round++) {
    const { marks, scale, placed } = rail(next)
    assert.ok(placed.length > 0)
    for (const label of placed) {
      assert.equal(scale.yOf(marks.tops[label.section]), label.y)
      for (const within of [0, 8, 15.9]) assert.equal(scale.lineAt(placed, label.y + within), label)
    }
    assert.equal(scale.lineAt(placed, placed.at(-1).y + 16), undefined)
  }
})

test('a press on the rail leads to the position whose marker is there, to within a pixel', () => {
  const next = random(32)
  for (let round = 0; round < 200; round++) {
    const { scale, limit, contentHeight } = rail(next)
    const top = Math.floor(next() * limit)
    assert.ok(Math.abs(scale.topAt(scale.yOf(top) + 8) - top) <= contentHeight / scale.room)
    assert.equal(scale.topAt(-5), 0)
    assert.equal(scale.topAt(900), limit)
  }
})

test('the marker of the viewport reaches the end of the rail at the end of the content', () => {
  const scale = new Scale({ extent: 3000, limit: 2200, height: 816, line: 16 })
  assert.equal(scale.yOf(2200) + scale.yOf(800) + 16, 816)
})

test('a handle covers the whole rail, and a scale without content maps everything to 0', () => {
  const handle = new Scale({ extent: 1000, limit: 1000, height: 352, line: 52 })
  assert.deepEqual([handle.yOf(0), handle.yOf(500), handle.yOf(1000)], [0, 150, 300])
  assert.equal(handle.topAt(150 + 26), 500)
  const empty = new Scale({ extent: 0, limit: 0, height: 0, line: 52 })
  assert.deepEqual([empty.yOf(10), empty.topAt(10)], [0, 0])
})
