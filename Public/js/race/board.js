// What is written about a race: the figures of both sides, the lines over time, and the words.

import { Chart } from './chart.js'
import { better, none, verdict, written } from './verdict.js'

const numbers = ({ tally, waste }) => ({ blank: tally.blankShare, slow: tally.slowBlankShare, settle: tally.settle, waste })

export class Board {
  #panes
  #part
  #ratio
  #chart

  constructor(dialog, panes) {
    this.#panes = panes
    this.#part = (name) => dialog.querySelector(`[data-part="${name}"]`)
    this.#ratio = this.#part('ratio')
    this.#chart = new Chart(this.#part('chart'), dialog.querySelectorAll('h3 i'))
  }

  /** Two sides that are yet to run. */
  clear(sides) {
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
    this.#ratio.hidden = true
    this.#chart.draw([[], []])
  }

  /** The figures as they are; `length` of the scroll in ms where it is known. */
  figures(length) {
    const both = this.#panes.map(numbers)
    for (const [index, { root }] of this.#panes.entries()) {
      for (const field of root.querySelectorAll('[data-figure]')) {
        const name = field.dataset.figure
        const values = both.map((side) => side[name])
        const value = values[index]
        const isWaitless = name === 'settle' && none(name, values)
        field.textContent = isWaitless ? 'none' : Number.isFinite(value) ? written[name](value) : '–'
        field.toggleAttribute('data-better', better(name, values) === index)
      }
    }
    this.#chart.draw(this.#panes.map((pane) => pane.tally.history), length)
  }

  /** The end: who was better, in words and in the frame of the winner. */
  conclude(sides, remark) {
    const { winner, ratio, headline, details } = verdict(this.#panes.map((pane, index) => ({ name: sides[index].name, ...numbers(pane) })))
    for (const [index, { root }] of this.#panes.entries()) root.toggleAttribute('data-winner', index === winner)
    this.#ratio.hidden = !ratio
    this.#ratio.textContent = ratio
    if (remark) details.push(remark)
    this.words(headline, details.join(' '))
    this.say([ratio, headline, ...details].filter(Boolean).join(' '))
  }

  words(headline, details) {
    this.#part('headline').textContent = headline
    if (details !== undefined) this.#part('details').textContent = details
  }

  terms(text) {
    this.#part('terms').textContent = text
  }

  /** For those who hear the page. */
  say(text) {
    this.#part('spoken').textContent = text
  }
}
