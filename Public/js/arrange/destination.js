// Where `go to a date or number` leads.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * A date as a person writes it: `2019`, `2019-07`, `7/2019`, `July 2019`, `12 July 2019`, `July 12, 2019`, `2019-07-12`.
 * @returns {string | null} `2019`, `2019-07` or `2019-07-12`; null for what is no date.
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
  // 12.07.2019 has its day first, 2019-07-12 last.
  const isYearFirst = words[0] === year
  const [month, day] = named ? [MONTHS.indexOf(named.slice(0, 3)) + 1, numbers[0]] : isYearFirst || numbers.length === 1 ? numbers : [numbers[1], numbers[0]]
  if (month < 1 || month > 12 || (day !== undefined && (day < 1 || day > 31))) return null
  return [year, month, day].filter((part) => part !== undefined).map((part) => String(part).padStart(2, '0')).join('-')
}

/**
 * The item that a text names: a position from 1, or a date where the gallery has a timeline. A number that is a year of the
 * timeline is that year.
 * @param {string} text
 * @param {{itemCount: number, timeline: import('./timeline.js').Timeline | null}} gallery
 * @returns {number | null} null for what is neither.
 */
export function destination(text, { itemCount, timeline }) {
  if (!itemCount) return null
  const date = timeline?.months.length ? dateIn(text) : null
  const plain = text.replaceAll(/[\s,.’']/g, '')
  const isNumber = /^\d+$/.test(plain)
  const isYearHere = date && timeline?.months.some(({ month }) => month.startsWith(date.slice(0, 4)))
  if (date && (!isNumber || isYearHere)) return timeline?.itemAt(date) ?? null
  return isNumber && Number(plain) >= 1 ? Math.min(itemCount, Number(plain)) - 1 : null
}
