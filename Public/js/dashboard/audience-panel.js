// Shows the presenter the number and the places of the followers. Compares the half with prefetching with the half without it.

import { placesInWords } from '../sharing/watchers.js'
import { percent } from './figures.js'

/** @typedef {import('../sharing/watchers.js').Audience} Audience */

export class AudiencePanel {
  #count
  #places
  #comparison
  /** @type {HTMLInputElement} */
  #box
  #bars
  /** @type {Audience['halves']} */
  #halves

  /** `part(name)` returns a part of the dashboard. `change(changes)` changes the session and resolves to null if that failed. */
  constructor(part, change) {
    this.#count = part('followers')
    this.#places = part('places')
    this.#comparison = part('audience')
    this.#box = this.#comparison.querySelector('input')
    this.#bars = part('halves')
    this.#box.addEventListener('change', async () => {
      const isTaken = await change({ audiencePrefetching: this.#box.checked ? 'half' : 'all' })
      if (!isTaken) this.#box.checked = !this.#box.checked
    })
  }

  /** Shows the number of followers, and their places and halves as far as known. `scene` may be null. */
  show(count, scene) {
    /** @type {Audience} */
    const { followers, halves } = scene?.audience ?? { followers: [] }
    this.#count.hidden = !count
    this.#count.textContent = count === 1 ? 'One person is following you.' : `${count} people are following you.`
    const words = scene ? placesInWords(followers, scene.visible) : ''
    this.#places.hidden = !words
    this.#places.textContent = words && `Of these, ${words}.`
    this.#comparison.hidden = followers.length < 2 && !halves
    this.#bars.hidden = !halves
    if (Boolean(halves) !== Boolean(this.#halves)) this.#box.checked = Boolean(halves)
    this.#halves = halves
    halves?.forEach((half, index) => this.#draw(this.#bars.children[index], half))
  }

  #draw(bar, { prefetching, followers, visibleTime, blankTime }) {
    const share = visibleTime > 0 ? blankTime / visibleTime : NaN
    const [name, value] = bar.children
    name.textContent = `Blank ${prefetching ? 'with' : 'without'} prefetching (${followers})`
    value.textContent = Number.isFinite(share) ? percent(share) : '–'
    bar.setAttribute('aria-label', `${name.textContent}: ${value.textContent}`)
    bar.style.setProperty('--share', Number.isFinite(share) ? share : 0)
  }
}
