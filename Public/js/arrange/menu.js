// The menu in which a person sorts and groups, and goes to a date or a number.

import { disable } from '../boot.js'
import { GROUPS, SORTS } from './arrangement.js'

const BY_DATE = { sorts: ['taken'], groups: ['day', 'month', 'year'] } // nothing for a gallery without dates

export class ArrangementMenu {
  #panel
  #button
  #tools
  #form
  #go

  /**
   * `button` opens the `panel`; it may stand in the menu `tools` of a phone. `changed(changes)` changes the arrangement,
   * `plain()` drops it, `go(text)` goes to a place and returns '', or says why there is none.
   */
  constructor(panel, button, tools, { changed, plain, go }) {
    this.#panel = panel
    this.#button = button
    this.#tools = tools
    this.#form = panel.querySelector('[data-part="arrangement"]')
    this.#go = panel.querySelector('[data-part="go"]')
    const { sort, order, group, from, to, fiveStars } = this.#form.elements
    sort.replaceChildren(...Object.entries(SORTS).map(([name, { title }]) => new Option(title, name)))
    group.replaceChildren(...Object.entries(GROUPS).map(([name, title]) => new Option(title, name)))
    button.addEventListener('click', () => this.open())
    for (const select of [sort, order, group]) select.addEventListener('change', () => changed({ [select.name]: select.value }))
    for (const date of [from, to]) date.addEventListener('change', () => changed({ filter: { taken: { from: from.value, to: to.value } } }))
    fiveStars.addEventListener('change', () => changed({ filter: { fiveStars: fiveStars.checked } }))
    this.#form.addEventListener('submit', (event) => event.preventDefault())
    panel.querySelector('[data-part="plain"]').addEventListener('click', () => plain())
    this.#go.addEventListener('submit', (event) => {
      event.preventDefault()
      const refusal = go(this.#go.elements.place.value)
      this.#refuse(refusal)
      if (!refusal) panel.hidePopover()
    })
    this.#go.elements.place.addEventListener('input', () => this.#refuse(''))
  }

  /** `atPlace`: in the field of the place to go to. */
  open({ atPlace = false } = {}) {
    if (this.#tools.matches(':popover-open')) this.#tools.hidePopover()
    if (atPlace) this.#panel.showPopover()
    else this.#panel.togglePopover()
    if (atPlace) this.#go.elements.place.select()
    else if (this.#panel.matches(':popover-open')) (this.#form.elements.sort.disabled ? this.#go.elements.place : this.#form.elements.sort).focus()
  }

  /** Shows what can be had: nothing but places where there is a `reason` against it, dates and ratings where there may be some. */
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
    // A field holds whole days: those at the ends of what is asked for.
    elements.from.value = taken?.from ? `${taken.from}-01-01`.slice(0, 10) : ''
    elements.fiveStars.checked = fiveStars ?? false
    elements.to.value = taken?.to ? lastDay(taken.to) : ''
  }

  /** Shows what the field takes: dates, names of sections. */
  offerPlaces({ hasDates, hasNames }) {
    const kinds = [hasDates && 'date', hasNames && 'name', 'number'].filter(Boolean).join(', ')
    this.#go.elements.place.placeholder = kinds[0].toUpperCase() + kinds.slice(1)
  }

  #refuse(/** @type {string} */ reason) {
    const word = this.#panel.querySelector('[data-part="nowhere"]')
    this.#go.elements.place.setAttribute('aria-invalid', String(Boolean(reason)))
    word.hidden = !reason
    word.textContent = reason
  }
}

/** The last day of `2019`, `2019-07` or `2019-07-12`. */
function lastDay(date) {
  const [year, month = '12', day] = date.split('-')
  return day ? date : `${year}-${month}-${new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()}`
}
