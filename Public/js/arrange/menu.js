// The menu for sorting, grouping and filtering by date and rating.

import { disable } from '../boot.js'
import { GROUPS, SORTS } from './arrangement.js'

const BY_DATE = { sorts: ['taken'], groups: ['day', 'month', 'year'] } // hidden for a gallery without dates

export class ArrangementMenu {
  #panel
  #form

  /** `button` opens the `panel`. `changed(changes)` changes the arrangement, `plain()` removes it. */
  constructor(panel, button, { changed, plain }) {
    this.#panel = panel
    this.#form = panel.querySelector('[data-part="arrangement"]')
    const { sort, order, group, from, to, fiveStars } = this.#form.elements
    sort.replaceChildren(...Object.entries(SORTS).map(([name, { title }]) => new Option(title, name)))
    group.replaceChildren(...Object.entries(GROUPS).map(([name, title]) => new Option(title, name)))
    button.addEventListener('click', () => this.#toggle())
    for (const select of [sort, order, group]) select.addEventListener('change', () => changed({ [select.name]: select.value }))
    for (const date of [from, to]) date.addEventListener('change', () => changed({ filter: { taken: { from: from.value, to: to.value } } }))
    fiveStars.addEventListener('change', () => changed({ filter: { fiveStars: fiveStars.checked } }))
    this.#form.addEventListener('submit', (event) => event.preventDefault())
    panel.querySelector('[data-part="plain"]').addEventListener('click', () => plain())
  }

  #toggle() {
    this.#panel.togglePopover()
    if (this.#panel.matches(':popover-open')) this.#form.elements.sort.focus()
  }

  /** Enables the controls, or disables all if there is a `reason`. Hides those for dates and ratings if the gallery has none. */
  offer({ reason, hasDates, hasRatings, isList }) {
    const { sort, group } = this.#form.elements
    for (const field of this.#form.elements) disable(field, reason)
    const note = this.#form.querySelector('p')
    note.hidden = !reason
    note.textContent = reason
    for (const option of sort.options) if (option.value === 'path') option.textContent = isList ? 'As in the list' : SORTS.path.title
    for (const option of sort.options) option.hidden = option.disabled = !hasDates && BY_DATE.sorts.includes(option.value)
    for (const option of group.options) option.hidden = option.disabled = !hasDates && BY_DATE.groups.includes(option.value)
    for (const field of this.#form.querySelectorAll('[data-dates]')) field.hidden = !hasDates
    this.#form.querySelector('[data-ratings]').hidden = !hasRatings
  }

  show(/** @type {import('./arrangement.js').Arrangement} */ { sort, order, group, filter: { taken, fiveStars } }) {
    const { elements } = this.#form
    elements.sort.value = sort
    elements.order.replaceChildren(...Object.entries(SORTS[sort].ends).map(([name, title]) => new Option(title, name)))
    elements.order.value = order
    elements.group.value = group
    // The fields hold days: the first and the last day of the filter.
    elements.from.value = taken?.from ? `${taken.from}-01-01`.slice(0, 10) : ''
    elements.fiveStars.checked = fiveStars ?? false
    elements.to.value = taken?.to ? lastDay(taken.to) : ''
  }
}

/** Returns the last day of `2019`, `2019-07` or `2019-07-12`. */
function lastDay(date) {
  const [year, month = '12', day] = date.split('-')
  return day ? date : `${year}-${month}-${new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()}`
}
