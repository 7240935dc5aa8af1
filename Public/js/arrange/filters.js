// The active filters beside the search field. Each has a button that removes it.

import { filtersInWords } from './arrangement.js'

export class Filters {
  #root
  #remove

  constructor(root, remove) {
    this.#root = root
    this.#remove = remove
  }

  show(arrangement) {
    const words = filtersInWords(arrangement)
    this.#root.hidden = words.length === 0
    this.#root.replaceChildren(...words.map(([name, label]) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'words'
      button.title = `Remove filter: ${label}`
      button.setAttribute('aria-label', `${label}: remove filter`)
      const [text, cross] = [document.createElement('span'), document.createElement('b')]
      text.textContent = label
      cross.textContent = '×'
      button.append(text, cross)
      button.addEventListener('click', () => this.#remove(name))
      return button
    }))
  }
}
