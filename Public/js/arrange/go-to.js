// The box that jumps to a date, a folder or a number. The browser's Back button returns to the previous position.

import { parameter, pictureParameters, placeInAddress, rememberPlace, setParameters } from '../page/address-bar.js'
import { get, post } from '../session/api.js'
import { changed, dateInWords } from './arrangement.js'
import { dateIn, destination, examples } from './destination.js'

export class GoTo {
  /** Reason why dates cannot be found; '' if they can. */
  reason = ''
  #page
  #dialog
  #button
  #field
  #places
  #jump = history.state?.jump ?? 0 // number of the jump that created the current history entry
  #run = 0 // increases with each text, so that late responses are dropped

  /**
   * `button` opens the `dialog`. `places()` returns the destinations that a person can enter.
   * @param {import('../page/page.js').Page} page
   * @param {any} dialog
   * @param {any} button
   * @param {() => import('./destination.js').Places} places
   */
  constructor(page, dialog, button, places) {
    this.#page = page
    this.#dialog = dialog
    this.#button = button
    this.#places = places
    this.#field = dialog.querySelector('input')
    button.addEventListener('click', () => this.open())
    dialog.addEventListener('click', ({ target }) => (target === dialog || target.closest('[data-part="close"]')) && dialog.close())
    dialog.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#go(this.#field.value)
    })
    this.#field.addEventListener('input', () => this.#refuse(''))
  }

  open() {
    if (this.#button.disabled) return
    this.#dialog.querySelector('#go-hint').textContent = examples(this.#places())
    this.#refuse('')
    this.#dialog.showModal()
    this.#field.select()
  }

  /** Called when Back or Forward led to another history entry of the same gallery. Undoes or repeats a jump. */
  async popped() {
    const jump = history.state?.jump ?? 0
    if (jump === this.#jump || parameter('view') !== null) return
    this.#jump = jump
    const { keyboard, pageLayout, scroller, state } = this.#page
    const place = placeInAddress(state.itemCount)
    if (!place) return void scroller.jump(0)
    keyboard.focus(place.item)
    await pageLayout.scrollTo(place.item)
    const frame = pageLayout.layout?.frame(place.item)
    if (frame && place.at !== undefined) scroller.jump(frame.y + place.fraction * frame.height - place.at)
  }

  /** Called after other code has pushed a history entry. */
  left() {
    this.#jump = history.state?.jump ?? 0
  }

  async #go(/** @type {string} */ text) {
    this.#refuse('')
    const run = ++this.#run
    const places = this.#places()
    const place = destination(text, places)
    const item = typeof place === 'string' ? await this.#itemOn(place).catch(() => undefined) : place
    if (run !== this.#run || !this.#dialog.open) return
    // If no picture with this day is found, jump to its month.
    const found = item ?? (typeof place === 'string' ? places.timeline?.itemAt(place) : null)
    if (found === null || found === undefined) return this.#refuse(this.#reason(text, item))
    this.#dialog.close()
    this.#jumpTo(found)
  }

  #reason(text, item) {
    const date = dateIn(text)
    if (!date) return `“${text.trim()}” is no date, number or folder here.`
    if (this.reason) return this.reason
    return item === undefined ? 'The server can’t look up this date now.' : `No picture here is known to be from ${dateInWords(date)}.`
  }

  /** Resolves to the first item of the current gallery that was taken on a date; null if there is none. */
  async #itemOn(/** @type {string} */ date) {
    const { gallery, base } = this.#page.state
    const arrangement = changed(gallery.arrangement ?? { sort: 'path', order: 'ascending' }, { filter: { taken: { from: date, to: date } } })
    const found = await post('api/v1/galleries', { of: base.id, ...arrangement, group: 'none' })
    if (!found.itemCount) return null
    const query = `of=${encodeURIComponent(found.id)}&revision=${found.revision}&from=0&count=1`
    const { places } = await get(`api/v1/galleries/${encodeURIComponent(gallery.id)}/places?${query}`)
    return places[0] ?? null
  }

  #jumpTo(/** @type {number} */ item) {
    const { keyboard, pageLayout, state } = this.#page
    const anchor = pageLayout.anchor()
    rememberPlace(anchor, anchor ? state.identity(anchor.item).id : undefined)
    this.#jump += 1
    setParameters(pictureParameters('item', item, state.identity(item).id), { push: true, state: { jump: this.#jump } })
    keyboard.focus(item)
    pageLayout.scrollTo(item) // at the top, below the title of its section
  }

  #refuse(/** @type {string} */ reason) {
    const message = this.#dialog.querySelector('[data-part="nowhere"]')
    this.#field.setAttribute('aria-invalid', String(Boolean(reason)))
    message.hidden = !reason
    message.textContent = reason
  }
}
