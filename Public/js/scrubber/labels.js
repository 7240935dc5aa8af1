// The labels of the rail, and their places: the titles of sections, or years and months where the titles hold them
// in order.

import { MONTHS } from '../grid/picture-in-words.js'
import { lastNotAbove } from '../layout/sections.js'

const NAMED = new RegExp(`^(?:(.*?)[,\\s–-]+)?(${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join('|')})\\.?\\s+((?:19|20)\\d\\d)$`, 'i')
const NUMBERED = /^((?:19|20)\d\d)(?:[-_.](0[1-9]|1[0-2])(?:[-_.](?:0[1-9]|[12]\d|3[01]))?)?(?:[\s_,–-]+(.*))?$/
const MOST = 0.8 // of the titles hold a date: then it is dates that lead through the gallery
const TAIL = 8 // characters at the end of a title that are never cut off
const ROOM = 13 // characters of a title that the rail has room for
const LINE = 24 // px a label takes at least

/** `{year, month, place}` of a title; month 0 … 11 or null; null where it names no date. */
export function dated(title) {
  const name = title.split('/').at(-1).trim()
  const named = NAMED.exec(name)
  if (named) {
    const month = MONTHS.findIndex((month) => month.slice(0, 3).toLowerCase() === named[2].slice(0, 3).toLowerCase())
    return { year: Number(named[3]), month, place: named[1] ?? '' }
  }
  const numbered = NUMBERED.exec(name)
  return numbered && { year: Number(numbered[1]), month: numbered[2] ? Number(numbered[2]) - 1 : null, place: numbered[3] ?? '' }
}

/** A title in two parts, `[head, tail]`: the head may be cut off at its end, the tail stays, for titles differ there. */
export function parted(title) {
  const word = title.lastIndexOf(' ')
  const at = word > 0 && title.length - word <= TAIL ? word : title.length > 2 * TAIL ? title.length - TAIL : title.length
  return [title.slice(0, at), title.slice(at)]
}

/** A title in two parts that fit the rail: cut in its middle at borders of words, where it has some there. */
export function shortened(title) {
  if (title.length <= ROOM) return [title, '']
  const words = title.match(/[\s/_·-]*[^\s/_·-]+|[\s/_·-]+$/g) ?? [title]
  let tail = words.pop() ?? ''
  if (tail.length > TAIL || !words.length) return parted(title) // a name without words, or with long ones
  while (words.length > 1 && tail.length + words[words.length - 1].length <= TAIL) tail = words.pop() + tail
  let head = words.shift() ?? ''
  if (!words.length) return [head, tail]
  for (const word of words) {
    if (head.length + word.length + 1 + tail.length > ROOM) break
    head += word
  }
  return [`${head}…`, tail]
}

/** As many words of a text as fit the rail. */
function begun(text) {
  if (text.length <= ROOM) return text
  const end = text.lastIndexOf(' ', ROOM - 1)
  return end > 'Jan ·'.length ? `${text.slice(0, end)}…` : text
}

/**
 * @typedef {object} Label
 * @property {string} head May be cut off at its end.
 * @property {string} tail Is not cut off.
 * @property {number | null} year Where it begins a year, and is worth its place before others.
 * @property {number | null} within The year it is in; it says nothing unless that stands above it.
 */

/**
 * A label for each section. Years and months only where most sections have them and the years follow each other.
 * @returns {Label[]}
 */
export function labelsOf(sections) {
  const dates = sections.map(({ title }) => dated(title))
  const years = dates.filter(Boolean).map(({ year }) => year)
  const follow = (before) => years.every((year, index) => index === 0 || before(years[index - 1], year))
  const inOrder = sections.length > 1 && years.length >= MOST * sections.length && (follow((a, b) => a >= b) || follow((a, b) => a <= b))
  let last = null
  return sections.map(({ title }, index) => {
    const date = inOrder ? dates[index] : null
    if (!date) {
      const [head, tail] = shortened(title)
      return { head, tail, year: null, within: null }
    }
    const year = date.year === last ? null : date.year
    last = date.year
    const month = date.month === null ? '' : MONTHS[date.month].slice(0, 3)
    const head = month && date.place ? begun(`${month} · ${date.place}`) : month || date.place || String(date.year)
    return { head, tail: '', year, within: date.year }
  })
}

/**
 * As many labels as fit on a rail so many px high, each where its section begins. Those that begin a year come before others, and
 * no month stands below another year than its own.
 * @param {Label[]} labels One for each section.
 * @param {(section: number) => number} yOf Height of a section's label, px.
 * @param {number} height Of the rail, px.
 * @returns {{section: number, y: number, label: Label}[]}
 */
export function placeLabels(labels, yOf, height) {
  const taken = [] // heights, in order
  const years = [] // of these those of years
  const placed = []
  const offer = (section, label) => {
    const y = yOf(section)
    const next = taken.findIndex((other) => other > y)
    const at = next < 0 ? taken.length : next
    if (y > height - LINE || y - (taken[at - 1] ?? -LINE) < LINE || (taken[at] ?? Infinity) - y < LINE) return
    if (label.year === null && label.within !== null && years[lastNotAbove(years.map((one) => one.y), y)]?.year !== label.within) return
    taken.splice(at, 0, y)
    placed.push({ section, y, label })
    if (label.year !== null) years.push({ y, year: label.year })
  }
  labels.forEach(({ year, within }, section) => year !== null && offer(section, { head: String(year), tail: '', year, within }))
  const step = Math.max(1, Math.floor(labels.length / (height / 4))) // ten thousand sections: not each is looked at
  for (let section = 0; section < labels.length; section += step) if (labels[section].year === null) offer(section, labels[section])
  return placed
}

/** Writes a label in two parts, the first of which gives way. */
export function writeLabel(element, { head, tail }) {
  const [first, last] = [document.createElement('i'), document.createElement('b')]
  first.textContent = head
  last.textContent = tail
  element.replaceChildren(first, last)
}
