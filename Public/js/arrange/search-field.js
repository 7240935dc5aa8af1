// The search field: the gallery follows what is typed.

import { disable } from '../boot.js'
import { Suggestions } from './suggestions.js'

const PAUSE = 150 // ms without a key after which the gallery follows

export class SearchField {
  /** Why nothing can be searched; '' where it can. */
  reason = ''
  #form
  #tools
  #field
  #search
  #suggestions
  #timer = 0

  /**
   * `form` may stand in the menu `tools` of a phone; `search(text)` is told of each text, '' for none. `suggest(text)` resolves
   * to the filters it may mean, `choose(suggestion)` takes one instead of the text; `findsNothing(text)`: no picture has it.
   */
  constructor(form, tools, { search, suggest, choose, findsNothing }) {
    this.#form = form
    this.#tools = tools
    this.#field = form.elements.text
    this.#search = search
    this.#suggestions = new Suggestions(this.#field, form.querySelector('[role="listbox"]'), {
      find: suggest,
      choose: (suggestion) => {
        this.#field.value = ''
        clearTimeout(this.#timer)
        choose(suggestion)
        this.#leave()
      },
    })
    this.#field.addEventListener('input', () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#tell(), this.#field.value ? PAUSE : 0)
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (findsNothing(this.#field.value.trim()) && this.#suggestions.takeFirst()) return
      this.#tell()
      this.#leave()
    })
    this.#field.addEventListener('keydown', (event) => {
      const isHeard = this.#suggestions.hears(event.key)
      if (!isHeard && (event.key !== 'Escape' || !this.#field.value)) return
      event.preventDefault()
      event.stopPropagation()
      if (isHeard) return
      this.#field.value = ''
      this.#tell()
    })
  }

  /** Nothing can be searched, for a reason; '' where it can. */
  disable(reason) {
    this.reason = reason
    disable(this.#field, reason)
  }

  focus() {
    if (!this.#form.checkVisibility()) this.#tools.showPopover()
    this.#field.select()
  }

  /** Shows the text that is searched for, unless somebody writes. */
  show(text) {
    if (document.activeElement !== this.#field) this.#field.value = text
  }

  #tell() {
    clearTimeout(this.#timer)
    const text = this.#field.value.trim()
    this.#search(text)
    this.#suggestions.offer(text)
  }

  #leave() {
    if (this.#tools.matches(':popover-open')) this.#tools.hidePopover()
    this.#field.blur()
  }
}
