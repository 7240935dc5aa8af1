// Suggested filters in a list below the search field: `canon` may be a camera, `july 2018` a month.

import { monthInWords } from '../grid/picture-in-words.js'

const SHORTEST = 2 // minimum length of a text, in characters
const KINDS = { year: 'Year', month: 'Month', camera: 'Camera', lens: 'Lens' }

const number = new Intl.NumberFormat('en')

/** @typedef {{kind: 'year' | 'month' | 'camera' | 'lens', value: string, count: number}} Suggestion */

export const filterOf = (/** @type {Suggestion} */ { kind, value }) =>
  kind === 'year' || kind === 'month' ? { taken: { from: value, to: value } } : { [kind]: value }

export class Suggestions {
  #field
  #list
  #find
  #choose
  /** @type {Suggestion[]} The listed suggestions. */
  #shown = []
  #active = -1
  #run = 0 // increases with each text, so that late responses are dropped

  /** `find(text)` resolves to suggestions. `choose(suggestion)` is called when the person chooses one. */
  constructor(field, list, { find, choose }) {
    this.#field = field
    this.#list = list
    this.#find = find
    this.#choose = choose
    field.addEventListener('blur', () => this.close())
    list.addEventListener('pointerdown', (event) => event.preventDefault()) // the field keeps the focus
    list.addEventListener('click', (event) => {
      const option = event.target.closest('[role="option"]')
      if (option) this.#take([...list.children].indexOf(option))
    })
  }

  get isOpen() {
    return !this.#list.hidden
  }

  async offer(/** @type {string} */ text) {
    const run = ++this.#run
    const found = text.length >= SHORTEST ? await this.#find(text) : []
    if (run !== this.#run || document.activeElement !== this.#field) return
    this.#shown = found
    this.#list.replaceChildren(...found.map(({ kind, value, count }, index) => {
      const option = document.createElement('li')
      Object.assign(option, { id: `suggestion-${index}`, role: 'option' })
      const [name, about] = [document.createElement('span'), document.createElement('small')]
      name.textContent = kind === 'month' ? monthInWords(value) : value
      about.textContent = `${KINDS[kind]}, ${number.format(count)}`
      option.append(name, about)
      return option
    }))
    this.#list.hidden = !found.length
    this.#field.setAttribute('aria-expanded', String(found.length > 0))
    this.#activate(-1)
  }

  close() {
    this.#run += 1
    this.#list.hidden = true
    this.#field.setAttribute('aria-expanded', 'false')
    this.#activate(-1)
  }

  /** Moves through the list with a key pressed in the field. Returns whether the list used the key. */
  handleKey(/** @type {string} */ key) {
    if (!this.isOpen) return false
    if (key === 'Enter' && this.#active >= 0) this.#take(this.#active)
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      // The field itself is one of the stops.
      const stops = this.#shown.length + 1
      this.#activate(((this.#active + 1 + (key === 'ArrowDown' ? 1 : -1) + stops) % stops) - 1)
    } else return false
    return true
  }

  #activate(index) {
    this.#active = index
    for (const [place, option] of [...this.#list.children].entries()) option.setAttribute('aria-selected', String(place === index))
    if (index < 0) this.#field.removeAttribute('aria-activedescendant')
    else this.#field.setAttribute('aria-activedescendant', `suggestion-${index}`)
  }

  #take(index) {
    const chosen = this.#shown[index]
    this.close()
    this.#choose(chosen)
  }
}
