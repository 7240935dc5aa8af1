// States of the whole page that are not pictures: nothing here, not allowed, not there, starting over.

import { setToken } from './api.js'

const PATIENCE = 600 // ms a lost connection may take before it is worth a word

const texts = {
  reconnecting: ['Reconnecting…', 'The server does not answer. What you see stays; the rest follows when it is back.'],
  full: ['The server is full', 'As many people as it takes are looking already. Trying again by itself.'],
  gone: ['No such gallery', 'The address names a gallery that is not, or no longer, here.'],
  token: ['This gallery asks for a token', ''],
  empty: ['Nothing to see yet', 'This gallery holds no pictures. It fills by itself when some are added.'],
}

export class Notice {
  constructor(element) {
    this.element = element
    this.heading = element.querySelector('h2')
    this.text = element.querySelector('p')
    this.form = element.querySelector('form')
    this.none = false
    this.form.addEventListener('submit', (event) => {
      event.preventDefault()
      setToken(this.form.elements.token.value.trim())
      this.onToken?.()
    })
  }

  /** `error` may carry the server's own words. */
  connection(state, error) {
    clearTimeout(this.timer)
    const calm = state === 'live' || state === 'connecting' || state === 'closed'
    if (calm) return this.none ? this.#show('empty') : this.#hide()
    if (state === 'reconnecting') {
      if (this.element.hidden) this.timer = setTimeout(() => this.#show(state), PATIENCE)
      return
    }
    this.#show(state, error?.problem?.detail)
  }

  empty(none) {
    this.none = none
    if (none) this.#show('empty')
  }

  #show(kind, detail) {
    const [heading, text] = texts[kind]
    this.element.dataset.kind = kind
    this.heading.textContent = heading
    this.text.textContent = detail || text
    this.form.hidden = kind !== 'token'
    this.element.hidden = false
  }

  #hide() {
    this.element.hidden = true
  }
}
