// Updates a page that was opened before the dates of a gallery's pictures were read.

/**
 * Decides about the order that a gallery is best shown in: to `take` it, to `offer` it, or to `keep` what is shown.
 * @param {object} page
 * @param {object | null | undefined} page.usual That order, where there is one: newest first, once most pictures are dated.
 * @param {boolean} page.isFirst The gallery has just been opened.
 * @param {boolean} page.isNamed The address says how it is arranged.
 * @param {boolean} page.isChosen The person has arranged it, or wants it as it is.
 * @param {boolean} page.isMoved The person has scrolled, or looks at a picture.
 * @returns {'take' | 'offer' | 'keep'}
 */
export function turn({ usual, isFirst, isNamed, isChosen, isMoved }) {
  if (!usual || isNamed) return 'keep'
  if (isFirst) return 'take'
  if (isChosen) return 'keep'
  return isMoved ? 'offer' : 'take'
}

/** A sentence with a button: the order that is offered. */
export class DateOffer {
  #element
  #say

  /** `accept()` and `decline()` say what the person wants; `say(text)` speaks to those who hear the page. */
  constructor(element, { accept, decline, say }) {
    this.#element = element
    this.#say = say
    const answer = (part, answered) => element.querySelector(`[data-part="${part}"]`).addEventListener('click', () => {
      this.show(false)
      answered()
    })
    answer('accept', accept)
    answer('decline', decline)
  }

  show(/** @type {boolean} */ isOffered) {
    if (this.#element.hidden === !isOffered) return
    this.#element.hidden = !isOffered
    if (isOffered) this.#say(this.#element.querySelector('span').textContent)
  }
}
