// The arrangement of a gallery: how it is sorted, grouped and filtered. The page's address contains the arrangement, and the server
// derives a gallery from it.

import { monthInWords } from '../grid/picture-in-words.js'

/** Sort orders. `order` is the default direction, `group` the default grouping. */
export const SORTS = {
  taken: { title: 'Date taken', order: 'descending', group: 'month', ends: { descending: 'Newest first', ascending: 'Oldest first' } },
  added: { title: 'Date added', order: 'descending', group: 'none', ends: { descending: 'Newest first', ascending: 'Oldest first' } },
  name: { title: 'Name', order: 'ascending', group: 'none', ends: { ascending: 'A to Z', descending: 'Z to A' } },
  path: { title: 'As in the folder', order: 'ascending', group: 'folder', ends: { ascending: 'First to last', descending: 'Last to first' } },
  size: { title: 'File size', order: 'descending', group: 'none', ends: { descending: 'Largest first', ascending: 'Smallest first' } },
}

export const GROUPS = { none: 'None', day: 'Day', month: 'Month', year: 'Year', folder: 'Folder' }

const FILTERS = ['text', 'taken', 'folder', 'camera', 'lens', 'kinds', 'fiveStars']

/** Parameters of the address that describe an arrangement. */
export const PARAMETERS = ['sort', 'order', 'group', ...FILTERS]

/**
 * @typedef {object} Filter
 * @property {string} [text] Words in a name, a title or a folder.
 * @property {{from?: string, to?: string}} [taken] Dates such as `2019`, `2019-07` or `2019-07-12`, inclusive.
 * @property {string} [folder]
 * @property {string} [camera]
 * @property {string} [lens]
 * @property {string[]} [kinds] File extensions.
 * @property {boolean} [fiveStars] Whether to show only pictures with five stars.
 *
 * @typedef {object} Arrangement
 * @property {string} sort One of `SORTS`; `path` is the gallery's own order.
 * @property {string} order ascending or descending
 * @property {string} group One of `GROUPS`; `folder` means the gallery's own sections.
 * @property {Filter} filter
 */

/**
 * Parses the arrangement in the parameters of an address. Ignores unknown and invalid values.
 * @param {URLSearchParams} parameters
 * @returns {Arrangement}
 */
export function arrangementIn(parameters) {
  const [given, order, group] = ['sort', 'order', 'group'].map((name) => parameters.get(name) ?? '')
  const sort = Object.hasOwn(SORTS, given) ? given : 'path'
  /** @type {Filter} */
  const filter = {}
  for (const name of ['text', 'folder', 'camera', 'lens']) {
    const value = parameters.get(name)?.trim()
    if (value) filter[name] = value
  }
  const [from, to] = (parameters.get('taken') ?? '').split('..').map((date) => (isDate(date) ? date : undefined))
  if (from || to) filter.taken = { ...(from && { from }), ...(to && { to }) }
  const kinds = parameters.get('kinds')?.split(',').map((kind) => kind.trim().toLowerCase()).filter(Boolean)
  if (kinds?.length) filter.kinds = kinds
  if (parameters.get('fiveStars') === '1') filter.fiveStars = true
  return {
    sort, filter,
    order: Object.hasOwn(SORTS[sort].ends, order) ? order : SORTS[sort].order,
    group: Object.hasOwn(GROUPS, group) ? group : SORTS[sort].group,
  }
}

/**
 * Returns all address parameters of an arrangement, null for each that can be omitted: the inverse of `arrangementIn`. If the gallery
 * has a default arrangement (`base.defaultArrangement`), the address always includes `sort`.
 * @param {Arrangement} arrangement
 * @param {{defaultArrangement?: object} | null} [base]
 * @returns {Record<string, string | null>}
 */
export function parametersOf({ sort, order, group, filter: { text = null, taken, folder = null, camera = null, lens = null, kinds, fiveStars } }, base) {
  return {
    sort: sort === 'path' && !base?.defaultArrangement ? null : sort,
    order: order === SORTS[sort].order ? null : order,
    group: group === SORTS[sort].group ? null : group,
    text, folder, camera, lens,
    taken: taken ? `${taken.from ?? ''}..${taken.to ?? ''}` : null,
    kinds: kinds?.join(',') ?? null,
    fiveStars: fiveStars ? '1' : null,
  }
}

/** The gallery in its own order and sections, without a filter. */
export const PLAIN = arrangementIn(new URLSearchParams())

export const isSame = (/** @type {Arrangement} */ one, /** @type {Arrangement} */ other) =>
  JSON.stringify(parametersOf(one)) === JSON.stringify(parametersOf(other))

/**
 * Returns an arrangement with some parts changed. undefined or '' removes a part of the filter. Another sort comes with its default order
 * and grouping, unless `changes` has them.
 * @param {Arrangement} arrangement
 * @param {{sort?: string, order?: string, group?: string, filter?: Filter}} changes
 * @returns {Arrangement}
 */
export function changed(arrangement, { filter: parts = {}, ...changes }) {
  const { order, group } = SORTS[changes.sort] ?? arrangement
  const filter = { ...arrangement.filter, ...parts }
  for (const name of FILTERS) if (isEmpty(filter[name])) delete filter[name]
  return { ...arrangement, order, group, ...changes, filter }
}

/** Whether the gallery is sorted by date, so that dates can be used to navigate. */
export const isByDate = (/** @type {{sort?: string} | undefined} */ arrangement) => arrangement?.sort === 'taken'

/**
 * Returns the parts of the filter except its text, each with its name: `['camera', 'Camera: X-T4']`.
 * @param {Arrangement} arrangement
 * @returns {[name: string, label: string][]}
 */
export function filtersInWords({ filter: { taken, folder, camera, lens, kinds, fiveStars } }) {
  /** @type {[string, string | undefined][]} */
  const all = [
    ['taken', taken && datesInWords(taken)],
    ['folder', folder && `Folder: ${folder}`],
    ['camera', camera && `Camera: ${camera}`],
    ['lens', lens && `Lens: ${lens}`],
    ['fiveStars', fiveStars && 'Five stars'],
    ['kinds', kinds?.map((kind) => kind.toUpperCase()).join(', ')],
  ]
  return /** @type {[string, string][]} */ (all.filter(([, label]) => label))
}

/** @param {{from?: string, to?: string}} dates */
function datesInWords({ from, to }) {
  if (from && from === to) return dateInWords(from)
  return from && to ? `${dateInWords(from)} to ${dateInWords(to)}` : from ? `Since ${dateInWords(from)}` : `Until ${dateInWords(to ?? '')}`
}

/** Formats a date for people: `2019`, `July 2019` or `12 July 2019`. */
export function dateInWords(/** @type {string} */ date) {
  return [Number(date.slice(8)) || '', date.length < 7 ? date : monthInWords(date)].filter(Boolean).join(' ')
}

function isDate(/** @type {string} */ text) {
  return /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/.test(text)
}

function isEmpty(value) {
  return !value || (Array.isArray(value) ? !value.length : typeof value === 'object' && !Object.values(value).some(Boolean))
}
