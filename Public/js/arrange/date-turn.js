// Switches a page to the order by date if the page was opened before the server had read the dates of the pictures.

/**
 * Decides about the gallery's default arrangement: `take` it, `offer` it to the person, or `keep` the current one.
 * @param {object} page
 * @param {object | null | undefined} page.usual Default arrangement, if any: newest first, once most pictures have a date.
 * @param {boolean} page.isFirst Whether the gallery has just been opened.
 * @param {boolean} page.isNamed Whether the address contains an arrangement.
 * @param {boolean} page.isChosen Whether the person has chosen an arrangement or declined the offer.
 * @param {boolean} page.isMoved Whether the person has scrolled or opened a picture.
 * @returns {'take' | 'offer' | 'keep'}
 */
export function turn({ usual, isFirst, isNamed, isChosen, isMoved }) {
  if (!usual || isNamed) return 'keep'
  if (isFirst) return 'take'
  if (isChosen) return 'keep'
  return isMoved ? 'offer' : 'take'
}

/** A line that offers to sort the gallery by date, with a button for each answer. */
export class DateOffer {
  #element
  #say

  /** `accept()` and `decline()` are called when the person presses a button. `say(text)` announces a text to screen readers. */
  constructor(element, { accept, decline, say }) {
    this.#element = element
    this.#say = say
    const onPress = (part, pressed) => element.querySelector(`[data-part="${part}"]`).addEventListener('click', () => {
      this.show(false)
      pressed()
    })
    onPress('accept', accept)
    onPress('decline', decline)
  }

  show(/** @type {boolean} */ isOffered) {
    if (this.#element.hidden === !isOffered) return
    this.#element.hidden = !isOffered
    if (isOffered) this.#say(this.#element.querySelector('span').textContent)
  }
}
