// The star of the picture on show: whether it is a favourite, where the server keeps favourites beside the pictures.

import { call, isEmbedded } from '../session/api.js'

const SHOWN = 8000 // ms that a refusal stands

export class FavoriteStar {
  #button
  #refusal
  #say
  #path
  #item = -1
  #isFavorite = false
  #timer = 0

  /** `refusal` says why one is not kept; `say(text)` speaks to those who hear the page; `path(item, what)` names it. */
  constructor(button, refusal, say, path) {
    this.#path = path
    this.#button = button
    this.#refusal = refusal
    this.#say = say
  }

  begin(/** @type {{favorites?: boolean}} */ gallery) {
    this.#button.hidden = !gallery.favorites || isEmbedded
  }

  /** Shows an item's; `known` is what the gallery knows of it, undefined while that is nothing. */
  show(/** @type {number} */ item, /** @type {{favorite?: boolean} | undefined} */ known) {
    if (item !== this.#item) this.#refusal.hidden = true
    this.#item = item
    this.#button.disabled = !known
    this.#write(known?.favorite ?? false)
  }

  /** The person presses it: it shines at once, and no longer where the server refuses. */
  async toggle() {
    if (this.#button.hidden || this.#button.disabled) return
    const item = this.#item
    const isFavorite = !this.#isFavorite
    this.#write(isFavorite)
    this.#button.disabled = true
    try {
      await call(isFavorite ? 'PUT' : 'DELETE', this.#path(item, 'favorite'))
      this.#say(isFavorite ? 'Added to favourites' : 'Removed from favourites')
    } catch (error) {
      if (item === this.#item) this.#write(!isFavorite)
      this.#refuse(error.message)
    }
    if (item === this.#item) this.#button.disabled = false
  }

  #write(isFavorite) {
    this.#isFavorite = isFavorite
    this.#button.setAttribute('aria-pressed', String(isFavorite))
  }

  #refuse(text) {
    clearTimeout(this.#timer)
    this.#refusal.textContent = text
    this.#refusal.hidden = false
    this.#timer = setTimeout(() => (this.#refusal.hidden = true), SHOWN)
  }
}
