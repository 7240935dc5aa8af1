// The panel with the facts of the open picture: a list beside the picture, or a sheet below it on a narrow screen.

import { get } from '../session/api.js'
import { offers } from '../session/offers.js'
import { factsOf } from './facts.js'
import { placeActions } from './place.js'
import { Sheet } from './sheet.js'

const number = new Intl.NumberFormat('en')

export class FactsPanel {
  isOpen = false
  #panel
  #list
  #sheet
  #button
  #narrow
  #request = new AbortController() // for the facts of the open picture

  /**
   * `narrow.to(filter)` shows the pictures with the same camera, lens or folder, if `narrow.isOffered()`. `close()` is called
   * when a person drags the sheet down.
   */
  constructor(panel, button, { narrow, close }) {
    this.#panel = panel
    this.#list = panel.querySelector('dl')
    this.#sheet = new Sheet(panel, panel.querySelector('button'), close)
    this.#button = button
    this.#narrow = narrow
  }

  toggle(isOpen) {
    this.isOpen = isOpen
    this.#button.setAttribute('aria-pressed', String(isOpen))
    this.#panel.hidden = !isOpen
    this.#sheet.open()
  }

  /** Shows the facts of an item: `known` immediately, then the facts that the server sends from `path`. */
  async show(gallery, item, known = {}, name, path) {
    if (!this.isOpen) return
    this.#request.abort()
    const { signal } = (this.#request = new AbortController())
    const inGallery = {
      name, section: gallery.sections[known.section]?.title, place: `${number.format(item + 1)} of ${number.format(gallery.itemCount)}`,
    }
    this.#write(factsOf(known, inGallery))
    if (!(await offers('/items/{i}')) || signal.aborted) return
    try {
      const facts = await get(path, { signal })
      this.#write(factsOf({ ...known, ...facts }, inGallery))
    } catch {
      // The facts already shown stay.
    }
  }

  #write(facts) {
    this.#list.replaceChildren(...facts.flatMap((fact) => {
      const [term, value] = [document.createElement('dt'), document.createElement('dd')]
      term.textContent = fact.term
      value.append(this.#content(fact))
      if (fact.small) value.append(Object.assign(document.createElement('small'), { textContent: fact.small }))
      if (fact.location) value.append(placeActions(fact.location))
      return [term, value]
    }))
  }

  /** Returns a text, or a button that shows all pictures with the same fact. */
  #content({ text, filter, term }) {
    if (!filter || !this.#narrow.isOffered()) return document.createTextNode(text)
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: text, title: `All pictures ${term === 'Folder' ? 'in' : 'with'} this ${term.toLowerCase()}` })
    button.addEventListener('click', () => this.#narrow.to(filter))
    return button
  }
}
