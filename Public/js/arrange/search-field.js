// The search field: the gallery follows what is typed.

import { disable } from '../boot.js'
import { Suggestions } from './suggestions.js'

const PAUSE = 150 // ms without a key after which the gallery follows

export class SearchField {
  /** Why nothing can be searched; '' where it can. */
  reason = ''
  #field
  #search
  #suggestions
  #timer = 0
  #hasFound = true // the gallery on show has pictures

  /**
   * `search(text)` is told of each text, '' for none. `suggest(text)` resolves to the filters it may mean, `choose(suggestion)` takes one
   * instead of the text.
   */
  constructor(form, { search, suggest, choose }) {
    this.#field = form.elements.text
    this.#search = search
    this.#suggestions = new Suggestions(this.#field, form.querySelector('[role="listbox"]'), {
      find: async (text) => (this.#hasFound ? suggest(text) : []),
      choose: (suggestion) => {
        this.#field.value = ''
        clearTimeout(this.#timer)
        choose(suggestion)
        this.#field.blur()
      },
    })
    this.#field.addEventListener('input', () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#tell(), this.#field.value ? PAUSE : 0)
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#tell()
      this.#field.blur()
    })
    this.#field.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' && !this.#suggestions.hears(event.key)) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key !== 'Escape') return
      if (!this.#field.value) return this.#field.blur()
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
    this.#field.select()
  }

  /** The gallery shows so many pictures. Nothing is suggested beside none. */
  found(/** @type {number} */ count) {
    const isBack = !this.#hasFound && count > 0
    this.#hasFound = count > 0
    if (!count) this.#suggestions.close()
    else if (isBack && document.activeElement === this.#field) this.#suggestions.offer(this.#field.value.trim())
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
}
