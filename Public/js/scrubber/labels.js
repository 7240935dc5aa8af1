// What the rail writes beside the pictures: the titles of sections, or years and months where the titles hold them in order.

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
const NAMED = new RegExp(`^(?:(.*?)[,\\s–-]+)?(${months.map((name) => `${name}|${name.slice(0, 3)}`).join('|')})\\.?\\s+((?:19|20)\\d\\d)$`, 'i')
const NUMBERED = /^((?:19|20)\d\d)(?:[-_.](0[1-9]|1[0-2])(?:[-_.](?:0[1-9]|[12]\d|3[01]))?)?(?:[\s_,–-]+(.*))?$/
const MOST = 0.8 // of the titles hold a date: then it is dates that lead through the gallery
const TAIL = 8 // characters at the end of a title that are never cut off

/** `{year, month, place}` of a title; month 0 … 11 or null; null where it names no date. */
export function dated(title) {
  const name = title.split('/').at(-1).trim()
  const named = NAMED.exec(name)
  if (named) {
    const month = months.findIndex((month) => month.slice(0, 3).toLowerCase() === named[2].slice(0, 3).toLowerCase())
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

/**
 * A label for each section: `{head, tail, year}`. With `year` it begins a year and is worth its place before others.
 * Years and months only where most sections have them and the years follow each other.
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
      const [head, tail] = parted(title)
      return { head, tail, year: null }
    }
    const year = date.year === last ? null : date.year
    last = date.year
    const month = date.month === null ? '' : months[date.month].slice(0, 3)
    return { head: [month, date.place].filter(Boolean).join(' · ') || String(date.year), tail: '', year }
  })
}
