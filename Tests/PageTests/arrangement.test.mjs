import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { arrangementIn, changed, filtersInWords, GROUPS, isSame, parametersOf, PARAMETERS, PLAIN, SORTS } from '../../Public/js/arrange/arrangement.js'
import { dateIn, destination, examples } from '../../Public/js/arrange/destination.js'
import { Timeline } from '../../Public/js/arrange/timeline.js'
import { random } from './random.mjs'

const read = (text) => arrangementIn(new URLSearchParams(text))

/** Returns the query of the page's address for an arrangement. */
function query(arrangement) {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(parametersOf(arrangement))) if (value !== null) parameters.set(name, value)
  return parameters.toString()
}

test('an address without valid arrangement parameters means the default arrangement', () => {
  assert.deepEqual(PLAIN, { sort: 'path', order: 'ascending', group: 'folder', filter: {} })
  assert.deepEqual(read('gallery=demo&layout=masonry&item=5'), PLAIN)
  assert.deepEqual(read('sort=colour&group=camera&taken=yesterday..&text=%20'), PLAIN)
  assert.equal(query(PLAIN), '')
})

test('each sort has a default order and default groups, and the address omits these defaults', () => {
  assert.deepEqual(read('sort=taken'), { sort: 'taken', order: 'descending', group: 'month', filter: {} })
  assert.deepEqual(read('sort=name&order=sideways'), { sort: 'name', order: 'ascending', group: 'none', filter: {} })
  assert.equal(query(read('sort=taken&group=month&order=descending')), 'sort=taken')
  assert.equal(query(read('group=none')), 'group=none')
})

test('an arrangement survives a round trip through the address', () => {
  const next = random(7)
  const some = (list) => list[Math.floor(next() * list.length)]
  for (let round = 0; round < 500; round++) {
    let arrangement = changed(PLAIN, { sort: some(Object.keys(SORTS)), order: some(['ascending', 'descending']), group: some(Object.keys(GROUPS)) })
    arrangement = changed(arrangement, {
      filter: {
        text: some([undefined, 'rome & sea', '100 %', 'Ä..ö']), taken: some([undefined, { from: '2019' }, { to: '2020-07-12' }, { from: '2018-01', to: '2019-02' }]),
        folder: some([undefined, '2019/Rome, Italy']), camera: some([undefined, 'FUJIFILM X-T4']), lens: some([undefined, 'XF 35mm f/1.4']), kinds: some([undefined, ['jpg'], ['jpg', 'png']]),
      },
    })
    const again = read(query(arrangement))
    assert.deepEqual(again, arrangement)
    assert.ok(isSame(again, arrangement))
    assert.deepEqual(Object.keys(parametersOf(arrangement)).sort(), [...PARAMETERS].sort())
  }
})

test('a change keeps the rest of an arrangement, and a new sort resets the order and the groups', () => {
  const arrangement = read('sort=taken&order=ascending&group=day&camera=X')
  assert.deepEqual(changed(arrangement, { sort: 'size' }), { sort: 'size', order: 'descending', group: 'none', filter: { camera: 'X' } })
  assert.deepEqual(changed(arrangement, { order: 'descending' }), { sort: 'taken', order: 'descending', group: 'day', filter: { camera: 'X' } })
  assert.deepEqual(changed(read('text=rome'), { filter: { text: '' } }), PLAIN)
})

test('the address always names the sort if the gallery has its own default arrangement', () => {
  const base = { defaultArrangement: { sort: 'taken', order: 'descending', group: 'month' } }
  assert.equal(parametersOf(PLAIN, base).sort, 'path')
  assert.equal(parametersOf({ filter: {}, ...base.defaultArrangement }, base).sort, 'taken')
  assert.equal(parametersOf(PLAIN, {}).sort, null)
  assert.deepEqual(read('sort=path'), PLAIN)
})

test('address-bar.js lists the same parameters as arrangement.js', () => {
  const names = readFileSync(new URL('../../Public/js/page/address-bar.js', import.meta.url), 'utf8').match(/arrangingParameters[^\[]*\[([^\]]*)\]/)?.[1]
  assert.deepEqual(names?.split(',').map((name) => name.trim().slice(1, -1)), PARAMETERS)
})

test('a filter is described in words', () => {
  assert.deepEqual(filtersInWords(read('taken=2019..2019&camera=X-T4&kinds=JPG,png&text=a')), [['taken', '2019'], ['camera', 'Camera: X-T4'], ['kinds', 'JPG, PNG']])
  assert.deepEqual(filtersInWords(read('taken=2019-07..')), [['taken', 'Since July 2019']])
  assert.deepEqual(filtersInWords(read('taken=2019-07-12..2019-07-12')), [['taken', '12 July 2019']])
  assert.deepEqual(filtersInWords(read('taken=..2019-07')), [['taken', 'Until July 2019']])
})

const newestFirst = new Timeline({
  months: [{ month: '2020-02', from: 0, count: 10 }, { month: '2019-12', from: 10, count: 5 }, { month: '2019-07', from: 15, count: 1 }], undated: { from: 16, count: 4 },
})

test('the timeline names the month of each item', () => {
  assert.deepEqual([0, 9, 10, 15, 16, 19].map((item) => newestFirst.nameOf(item)), ['February 2020', 'February 2020', 'December 2019', 'July 2019', 'No date', 'No date'])
  assert.equal(new Timeline({}).nameOf(3), '')
})

test('the timeline marks each month, the first of each year with its year, and undated items last', () => {
  assert.deepEqual(newestFirst.marks.map(({ from, label }) => [from, label.head, label.year]), [[0, 'Feb', 2020], [10, 'Dec', 2019], [15, 'Jul', null], [16, 'No date', null]])
})

test('a date is parsed in the usual notations, and other text is rejected', () => {
  for (const [text, date] of [
    ['2019', '2019'], ['July 2019', '2019-07'], ['jul. 2019', '2019-07'], ['2019-07', '2019-07'], ['7/2019', '2019-07'], ['12 July 2019', '2019-07-12'],
    ['July 12, 2019', '2019-07-12'], ['2019-07-12', '2019-07-12'], ['12.07.2019', '2019-07-12'],
  ]) assert.equal(dateIn(text), date, text)
  for (const text of ['', '1850', 'July', '2019-13', '32.01.2019', 'IMG 2019', '1 2 3 2019', '12019']) assert.equal(dateIn(text), null, text)
})

test('a date leads to its pictures or to a neighbouring month, in both orders', () => {
  assert.deepEqual(['2020-02', '2019', '2019-07-12', '2019-09', '2001', '2030'].map((date) => newestFirst.itemAt(date)), [0, 10, 15, 15, 15, 0])
  const oldestFirst = new Timeline({ months: [{ month: '2019-07', from: 0, count: 3 }, { month: '2020-02', from: 3, count: 1 }] })
  assert.deepEqual(['2001', '2019-08', '2020', '2031'].map((date) => oldestFirst.itemAt(date)), [0, 3, 3, 3])
})

test('a number such as 2019 leads to a year if the gallery has dates, otherwise to a position', () => {
  const gallery = { itemCount: 5000, timeline: newestFirst }
  const destinations = { '1': 0, '1,234': 1233, '99999': 4999, '2019': 10, '2017': 15, '2,017': 2016, '1850': 1849, 'Dec 2019': 10, '0': null, 'rome': null, '': null }
  for (const [text, item] of Object.entries(destinations)) assert.equal(destination(text, gallery), item, text)
  assert.equal(destination('2019', { itemCount: 5000, timeline: null }), 2018)
  assert.equal(destination('1', { itemCount: 0, timeline: null }), null)
})

test('a title leads to its section, and a date leads to one if two or more titles contain dates', () => {
  const sections = (...titles) => titles.map((title, index) => ({ title, from: index * 10, count: 10 }))
  const goes = (text, ...titles) => destination(text, { itemCount: 100, sections: sections(...titles) })
  assert.equal(goes('2019-08', 'Rome, July 2019', 'Oslo, August 2019'), 10)
  const folders = ['2018-07 Iceland', '2019-05 Rome', 'Fritz', '12', '2019-11 Rome']
  for (const [text, item] of Object.entries({ Fritz: 20, fritz: 20, fri: 20, '12': 30, '2019': 10, 'May 2019': 10, '2019-11': 40, '2018-12': 10, '2019-05 Rome': 10, rome: null, '7': 6 })) {
    assert.equal(goes(text, ...folders), item, text)
  }
  const days = ['Friday, 12 July 2019', 'Thursday, 11 July 2019', 'Monday, 3 June 2019']
  for (const [text, item] of Object.entries({ '11 July 2019': 10, 'June 2019': 20, '2019': 0, '10 July 2019': 20, '2018': 20 })) assert.equal(goes(text, ...days), item, text)
  // A single title with a date does not make a gallery dated.
  assert.equal(goes('2019', 'Rome', '2018 Rome'), 99)
})

test('a date is passed to the server if the sections and months of the gallery do not resolve it', () => {
  const byName = { itemCount: 5000, latest: '2020-02', sections: [{ title: 'Photographs', from: 0 }] }
  const leads = { '2019': '2019', 'July 2019': '2019-07', '12 July 2019': '2019-07-12', '2,019': 2018, '12': 11, photo: 0, soon: null }
  for (const [text, place] of Object.entries(leads)) assert.equal(destination(text, byName), place, text)
  // The timeline knows months, but not days.
  const byDate = { ...byName, timeline: newestFirst }
  for (const [text, place] of Object.entries({ 'Dec 2019': 10, '12 July 2019': '2019-07-12' })) assert.equal(destination(text, byDate), place, text)
})

test('the prompt gives examples that resolve in the gallery', () => {
  const dated = [{ title: 'July 2018', from: 0 }, { title: 'July 2019', from: 5 }]
  const named = [{ title: 'Rome', from: 0 }, { title: 'Oslo', from: 5 }]
  for (const [words, gallery] of [
    ['Enter a number like 40.', { itemCount: 40 }],
    ['Enter a number like 1,234 or a date like February 2020.', { itemCount: 5000, timeline: newestFirst }],
    ['Enter a number like 40 or a date like July 2019.', { itemCount: 40, sections: dated }],
    ['Enter a number like 40 or a name like Rome.', { itemCount: 40, sections: named }],
    ['Enter a number like 40, a date like February 2020 or a name like Rome.', { itemCount: 40, sections: named, latest: '2020-02' }],
    ['Enter a number like 40, a date like July 2019 or a name like Rome.', { itemCount: 40, sections: [...dated, ...named] }],
  ]) {
    assert.equal(examples(gallery), words)
    for (const [, example] of words.matchAll(/like ([\w, ]+?)(?=, a | or |\.)/g)) assert.notEqual(destination(example, gallery), null, example)
  }
})

test('the five-star filter is read from the address, written to it and described in words', () => {
  const found = arrangementIn(new URLSearchParams('fiveStars=1&text=lake'))
  assert.deepEqual(found.filter, { text: 'lake', fiveStars: true })
  assert.equal(parametersOf(found).fiveStars, '1')
  assert.deepEqual(filtersInWords(found), [['fiveStars', 'Five stars']])
  assert.equal(parametersOf(changed(found, { filter: { fiveStars: false } })).fiveStars, null)
  assert.deepEqual(arrangementIn(new URLSearchParams('fiveStars=0')).filter, {})
})

test('the default sort is titled “As in the folder” and runs from first to last, or last to first', () => {
  assert.equal(SORTS.path.title, 'As in the folder')
  assert.deepEqual(SORTS.path.ends, { ascending: 'First to last', descending: 'Last to first' })
})

test('the date filter has fields named From and To', () => {
  const page = readFileSync(new URL('../../Public/index.html', import.meta.url), 'utf8')
  assert.match(page, /<span>From<\/span><input name="from" type="date">/)
  assert.match(page, /<span>To<\/span><input name="to" type="date">/)
})
