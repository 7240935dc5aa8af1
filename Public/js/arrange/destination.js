// Finds the item for a text that a person typed into `Go to`.

import { dated } from '../scrubber/labels.js'
import { monthInWords } from '../grid/picture-in-words.js'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Parses a date as a person writes it: `2019`, `2019-07`, `7/2019`, `July 2019`, `12 July 2019`, `July 12, 2019`, `2019-07-12`.
 * @returns {string | null} `2019`, `2019-07` or `2019-07-12`; null if the text is not a date.
 */
export function dateIn(/** @type {string} */ text) {
  const words = text.trim().toLowerCase().replaceAll(/[,.]/g, ' ').split(/[\s/–-]+/).filter(Boolean)
  const year = words.find((word) => /^(19|20)\d\d$/.test(word))
  if (!year || words.length > 3) return null
  const rest = words.filter((word) => word !== year)
  const named = rest.find((word) => MONTHS.includes(word.slice(0, 3)) && /^[a-z]+$/.test(word))
  const numbers = rest.filter((word) => /^\d{1,2}$/.test(word)).map(Number)
  if (numbers.length + (named ? 1 : 0) !== rest.length) return null
  if (!rest.length) return year
  // The day is first in 12.07.2019, and last in 2019-07-12.
  const isYearFirst = words[0] === year
  const [month, day] = named ? [MONTHS.indexOf(named.slice(0, 3)) + 1, numbers[0]] : isYearFirst || numbers.length === 1 ? numbers : [numbers[1], numbers[0]]
  if (month < 1 || month > 12 || (day !== undefined && (day < 1 || day > 31))) return null
  return [year, month, day].filter((part) => part !== undefined).map((part) => String(part).padStart(2, '0')).join('-')
}

/**
 * Returns the date in a section's title, to the day if the title begins with a day: `2019-07-12` for `Friday, 12 July 2019`, `2019-07`
 * for `Rome, July 2019`.
 */
function dateOfTitle(/** @type {string} */ title) {
  const words = title.replace(/^[a-z]+day,?\s+/i, '').split(/[\s/_–-]+/).filter(Boolean)
  for (const count of [3, 2, 1]) {
    const date = words.length >= count ? dateIn(words.slice(0, count).join(' ')) : null
    if (date) return date
  }
  const found = dated(title)
  return found && [found.year, found.month === null ? null : found.month + 1].filter(Boolean).map((part) => String(part).padStart(2, '0')).join('-')
}

/**
 * Returns the first item of the section for a date, or of the next section after it; null if fewer than two section titles are dates.
 * @param {string} date As returned by ``dateIn``.
 * @param {Section[]} sections
 */
function inSections(date, sections) {
  const dated = sections.map(({ title, from }) => ({ date: dateOfTitle(title), from })).filter((one) => one.date)
  if (dated.length < 2) return null
  const exact = dated.find((one) => one.date.startsWith(date) || date.startsWith(one.date))
  if (exact) return exact.from
  const isDescending = dated[0].date > dated[dated.length - 1].date
  return (dated.find((one) => (isDescending ? one.date < date : one.date > date)) ?? dated[dated.length - 1]).from
}

/** @typedef {{title: string, from: number}} Section */
/**
 * @typedef {object} Places
 * @property {number} itemCount
 * @property {import('./timeline.js').Timeline | null} [timeline]
 * @property {Section[]} [sections]
 * @property {string} [latest] Month of the latest picture, if the server can find pictures by their dates.
 */

/**
 * Returns the item that a text names. The text is a date, a section's title or the beginning of one, or a position from 1. If the
 * gallery has dates, four digits are a year; `2,019` is always a position.
 * @param {string} text
 * @param {Places} gallery
 * @returns {number | string | null} An item; a date (`2019-07-12`) if only the server can find its item; null if nothing matches.
 */
export function destination(text, { itemCount, timeline = null, sections = [], latest }) {
  if (!itemCount) return null
  const date = /^\s*\d[,.’']\d{3}\s*$/.test(text) ? null : dateIn(text)
  if (date && timeline?.months.length) return latest && date.length > 7 ? date : timeline.itemAt(date)
  const name = text.trim().toLowerCase()
  const titles = sections.map(({ title }) => title.toLowerCase())
  const titled = name ? titles.indexOf(name) : -1
  if (titled >= 0) return sections[titled].from
  const dated = date ? inSections(date, sections) : null
  if (dated !== null) return dated
  if (date && latest) return date
  const plain = text.replaceAll(/[\s,.’']/g, '')
  if (/^\d+$/.test(plain)) return Number(plain) >= 1 ? Math.min(itemCount, Number(plain)) - 1 : null
  const begun = name ? titles.findIndex((title) => title.startsWith(name)) : -1
  return begun >= 0 ? sections[begun].from : null
}

/**
 * Returns a hint with examples that work in this gallery: `Enter a number like 120 or a date like July 2019.`
 * @param {Places} gallery
 */
export function examples({ itemCount, timeline = null, sections = [], latest }) {
  const parts = [`a number like ${Math.min(itemCount, 1234).toLocaleString('en')}`]
  const date = timeline?.months.length ? timeline.nameOf(timeline.months[0].from) : sections.filter(({ title }) => dateOfTitle(title))[1]?.title ?? (latest && monthInWords(latest))
  if (date) parts.push(`a date like ${date}`)
  const name = sections.find(({ title }) => title && title !== date && !dateOfTitle(title))?.title
  if (name && sections.length > 1) parts.push(`a name like ${name}`)
  return `Enter ${parts.length > 2 ? `${parts[0]}, ${parts[1]}` : parts[0]}${parts.length > 1 ? ` or ${parts[parts.length - 1]}` : ''}.`
}
