import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dated, labelsOf, placeLabels } from '../../Public/js/scrubber/labels.js'
import { random } from './random.mjs'

const read = (titles) => labelsOf(titles.map((title) => ({ title }))).map(({ head, tail, year }) => [head, tail, year])

test('of a long title the end is a part of its own, which is not cut off', () => {
  assert.deepEqual(read(['Wallpapers of the coast 2019', 'A', 'Wallpapers_of_the_coast_2020']), [
    ['Wallpapers of the coast', ' 2019', null], ['A', '', null], ['Wallpapers_of_the_co', 'ast_2020', null],
  ])
})

test('titles that hold dates in order become years and months', () => {
  assert.deepEqual(read(['2024-05', '2024-06 Rome', 'May 2025']), [['May', '', 2024], ['Jun · Rome', '', null], ['May', '', 2025]])
})

test('dates that are out of order stay the titles that they are', () => {
  assert.ok(read(['May 2025', 'June 2020', 'July 2023']).every(([, , year]) => year === null))
})

test('a date is found at the end of a name or at its beginning, and in the last folder of a path', () => {
  assert.deepEqual(dated('2024-05-17'), { year: 2024, month: 4, place: '' })
  assert.deepEqual(dated('Photos/2023/2023-11 Wien'), { year: 2023, month: 10, place: 'Wien' })
  assert.deepEqual(dated('Lisbon, October 2024'), { year: 2024, month: 9, place: 'Lisbon' })
  assert.equal(dated('IMG_2019'), null)
})

test('labels stand where their sections begin, never on one another, and years come first', () => {
  const next = random(11)
  for (let round = 0; round < 200; round++) {
    const labels = Array.from({ length: Math.floor(next() * 300) }, (_, section) => ({ head: `Section ${section}`, tail: '', year: next() < 0.1 ? 2000 + section : null }))
    const height = 100 + Math.floor(next() * 900)
    const share = (section) => section / labels.length
    const placed = placeLabels(labels, share, height)
    const places = placed.map(({ y }) => y).sort((a, b) => a - b)
    assert.ok(places.every((y, index) => y <= height - 24 && (index === 0 || y - places[index - 1] >= 24)))
    for (const { section, y } of placed) assert.equal(y, Math.round(share(section) * height))
    const firstYear = labels.findIndex(({ year }, section) => year !== null && Math.round(share(section) * height) <= height - 24)
    if (firstYear >= 0) assert.equal(placed[0].section, firstYear)
  }
})

test('of ten thousand sections as many have a label as fit', () => {
  const labels = Array.from({ length: 10_000 }, (_, section) => ({ head: String(section), tail: '', year: null }))
  const placed = placeLabels(labels, (section) => section / 10_000, 900)
  assert.ok(placed.length > 25 && placed.length <= 900 / 24)
})
