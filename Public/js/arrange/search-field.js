// The search field. The gallery is filtered while the person types.

import { disable } from '../boot.js'
import { Suggestions } from './suggestions.js'

const PAUSE = 150 // ms after the last key until the search starts

export class SearchField {
  /** Reason why the gallery cannot be searched; '' if it can. */
  reason = ''
  #field
  #search
  #suggestions
  #timer = 0
  #hasFound = true // whether the current gallery has pictures

  /**
   * `search(text)` is called with each new text, '' for none. `suggest(text)` resolves to filters that the text may mean, and
   * `choose(suggestion)` replaces the text with one of them.
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
      this.#timer = setTimeout(() => this.#notify(), this.#field.value ? PAUSE : 0)
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#notify()
      this.#field.blur()
    })
    this.#field.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' && !this.#suggestions.handleKey(event.key)) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key !== 'Escape') return
      if (!this.#field.value) return this.#field.blur()
      this.#field.value = ''
      this.#notify()
    })
  }

  /** Disables the field for a reason; enables it if `reason` is ''. */
  disable(reason) {
    this.reason = reason
    disable(this.#field, reason)
  }

  focus() {
    this.#field.select()
  }

  /** Called with the number of pictures on show. If it is 0, the suggestions close. */
  found(/** @type {number} */ count) {
    const isBack = !this.#hasFound && count > 0
    this.#hasFound = count > 0
    if (!count) this.#suggestions.close()
    else if (isBack && document.activeElement === this.#field) this.#suggestions.offer(this.#field.value.trim())
  }

  /** Shows the searched text, unless the person is typing. */
  show(text) {
    if (document.activeElement !== this.#field) this.#field.value = text
  }

  #notify() {
    clearTimeout(this.#timer)
    const text = this.#field.value.trim()
    this.#search(text)
    this.#suggestions.offer(text)
  }
}
