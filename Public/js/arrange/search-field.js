// The search field: the gallery follows what is typed.

import { disable } from '../boot.js'

const PAUSE = 150 // ms without a key after which the gallery follows

export class SearchField {
  /** Why nothing can be searched; '' where it can. */
  reason = ''
  #form
  #tools
  #field
  #search
  #timer = 0

  /** `form` may stand in the menu `tools` of a phone; `search(text)` is told of each text, '' for none. */
  constructor(form, tools, search) {
    this.#form = form
    this.#tools = tools
    this.#field = form.elements.text
    this.#search = search
    this.#field.addEventListener('input', () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#tell(), this.#field.value ? PAUSE : 0)
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#tell()
      if (this.#tools.matches(':popover-open')) this.#tools.hidePopover()
      this.#field.blur()
    })
    this.#field.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.#field.value) return
      event.preventDefault()
      event.stopPropagation()
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
    this.#search(this.#field.value.trim())
  }
}
