// The text of a race: the figures of both sides and the verdict.

import { better, none, verdict, written } from './verdict.js'

const numbers = ({ tally, waste }) => ({ blank: tally.blankShare, empty: tally.emptyShare, slow: tally.slowBlankShare, settle: tally.settle, waste })

export class Board {
  #panes
  #part
  #points
  #sides = []

  constructor(dialog, panes) {
    this.#panes = panes
    this.#part = (name) => dialog.querySelector(`[data-part="${name}"]`)
    this.#points = this.#part('points')
  }

  /** Prepares the board for a race between two sides. */
  clear(sides) {
    this.#sides = sides
    for (const [index, { root, view }] of this.#panes.entries()) {
      root.querySelector('h3 span').textContent = sides[index].name
      root.querySelector('.side p').textContent = sides[index].how
      view.setAttribute('aria-label', `Pictures under ${sides[index].name}`)
      root.removeAttribute('data-winner')
      for (const field of root.querySelectorAll('[data-figure]')) {
        field.textContent = '–'
        field.removeAttribute('data-better')
      }
    }
    this.#points.hidden = true
  }

  /** Shows the current figures. `isConclusive`: whether enough was measured to mark the better figures. */
  figures(isConclusive) {
    const both = this.#panes.map(numbers)
    for (const [index, { root }] of this.#panes.entries()) {
      for (const field of root.querySelectorAll('[data-figure]')) {
        const name = field.dataset.figure
        const values = both.map((side) => side[name])
        const value = values[index]
        const isWaitless = name === 'settle' && none(name, values)
        field.textContent = isWaitless ? 'none' : Number.isFinite(value) ? written[name](value) : '–'
        field.toggleAttribute('data-better', isConclusive && better(name, values) === index)
      }
    }
  }

  /** Shows the verdict in words and marks the winner. `bandwidth` is the bandwidth of a side in Mbit/s, if known. */
  conclude(bandwidth, remark) {
    const sides = this.#panes.map((pane, index) => ({ name: this.#sides[index].name, line: pane.line.share(bandwidth), ...numbers(pane) }))
    const { winner, points, headline, details } = verdict(sides, bandwidth)
    for (const [index, { root }] of this.#panes.entries()) root.toggleAttribute('data-winner', index === winner)
    this.#points.hidden = !points
    this.#points.textContent = points
    if (remark) details.push(remark)
    this.write(headline, details.join(' '))
    this.say([points, headline, ...details].filter(Boolean).join(' '))
  }

  write(headline, details) {
    this.#part('headline').textContent = headline
    if (details !== undefined) this.#part('details').textContent = details
  }

  /** Shows a message instead of a verdict, also to screen readers. */
  announce(text) {
    for (const { root } of this.#panes) for (const field of root.querySelectorAll('[data-figure]')) field.removeAttribute('data-better')
    this.write(text, '')
    this.say(text)
  }

  terms(text) {
    this.#part('terms').textContent = text
  }

  /** Announces a text to screen readers. */
  say(text) {
    this.#part('spoken').textContent = text
  }
}
