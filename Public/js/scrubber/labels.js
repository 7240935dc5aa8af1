// Chooses the labels of the rail and places them: section titles, or years and months if the titles contain ordered dates.

import { MONTHS } from '../grid/picture-in-words.js'
import { lastNotAbove } from '../layout/sections.js'

const NAMED = new RegExp(`^(?:(.*?)[,\\s–-]+)?(${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join('|')})\\.?\\s+((?:19|20)\\d\\d)$`, 'i')
const NUMBERED = /^((?:19|20)\d\d)(?:[-_.](0[1-9]|1[0-2])(?:[-_.](?:0[1-9]|[12]\d|3[01]))?)?(?:[\s_,–-]+(.*))?$/
const DATED = 0.8 // minimum share of titles with a date for labelling by date
const TAIL = 8 // characters at the end of a title that are never cut off
const ROOM = 13 // characters that fit on the rail
const LINE = 24 // minimum px per label

/** Parses the date in a title: `{year, month, place}`. `month` is 0 … 11, or null if missing. Returns null if there is no date. */
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

/** Splits a title into `[head, tail]`. The head may be cut off at its end. The tail stays, because titles often differ there. */
export function parted(title) {
  const word = title.lastIndexOf(' ')
  const at = word > 0 && title.length - word <= TAIL ? word : title.length > 2 * TAIL ? title.length - TAIL : title.length
  return [title.slice(0, at), title.slice(at)]
}

/** Shortens a title to fit the rail, cutting in the middle between words if possible. Returns head and tail. */
export function shortened(title) {
  if (title.length <= ROOM) return [title, '']
  const words = title.match(/[\s/_·-]*[^\s/_·-]+|[\s/_·-]+$/g) ?? [title]
  let tail = words.pop() ?? ''
  if (tail.length > TAIL || !words.length) return parted(title) // one word, or a long last word
  while (words.length > 1 && tail.length + words[words.length - 1].length <= TAIL) tail = words.pop() + tail
  let head = words.shift() ?? ''
  if (!words.length) return [head, tail]
  for (const word of words) {
    if (head.length + word.length + 1 + tail.length > ROOM) break
    head += word
  }
  return [`${head}…`, tail]
}

/** Cuts a text after as many words as fit the rail. */
function begun(text) {
  if (text.length <= ROOM) return text
  const end = text.lastIndexOf(' ', ROOM - 1)
  return end > 'Jan ·'.length ? `${text.slice(0, end)}…` : text
}

/**
 * @typedef {object} Label
 * @property {string} head May be cut off at its end.
 * @property {string} tail Is not cut off.
 * @property {number | null} year The year, if the label is the first of a year. It is then placed before others.
 * @property {number | null} within The year of the label. The label is shown only below the label of that year.
 */

/**
 * Returns a label for each section. Years and months are used only if most sections have dates and the years are in order.
 * @returns {Label[]}
 */
export function labelsOf(sections) {
  const dates = sections.map(({ title }) => dated(title))
  const years = dates.filter(Boolean).map(({ year }) => year)
  const follow = (before) => years.every((year, index) => index === 0 || before(years[index - 1], year))
  const inOrder = sections.length > 1 && years.length >= DATED * sections.length && (follow((a, b) => a >= b) || follow((a, b) => a <= b))
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
 * Places as many labels as fit on the rail, each at the position of its section. Labels that begin a year are placed first. A month is
 * never placed below another year than its own.
 * @param {Label[]} labels One per section.
 * @param {(section: number) => number} yOf Returns the position of a section's label on the rail, px.
 * @param {number} height Height of the rail, px.
 * @returns {{section: number, y: number, label: Label}[]}
 */
export function placeLabels(labels, yOf, height) {
  const taken = [] // positions used, in order
  const years = [] // positions and years of the placed years
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
  const step = Math.max(1, Math.floor(labels.length / (height / 4))) // skip most of ten thousand sections
  for (let section = 0; section < labels.length; section += step) if (labels[section].year === null) offer(section, labels[section])
  return placed
}

/** Writes a label in two parts. The first part is cut off if there is not enough room. */
export function writeLabel(element, { head, tail }) {
  const [first, last] = [document.createElement('i'), document.createElement('b')]
  first.textContent = head
  last.textContent = tail
  element.replaceChildren(first, last)
}
