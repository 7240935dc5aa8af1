// The caption above the open picture: its title, number, date and size, and the link to its file.

import { dayInWords } from '../grid/picture-in-words.js'
import { parted, writeLabel } from '../scrubber/labels.js'
import { isNameOf } from './facts.js'

const number = new Intl.NumberFormat('en')

export class Caption {
  #title
  #facts
  #original

  constructor(part) {
    ;[this.#title, this.#facts, this.#original] = ['title', 'facts', 'original'].map(part)
  }

  /**
   * Shows the caption of an item. `known` is the gallery's data about the item, undefined if there is none yet.
   * @param {number} item
   * @param {{known?: {taken?: {time: string}, width?: number, height?: number, file?: string}, title: string, itemCount: number, original: string}} about
   * @returns {string} Text for screen readers.
   */
  show(item, { known, title, itemCount, original }) {
    const date = known?.taken ? ` · ${dayInWords(known.taken.time)}` : ''
    const size = known?.width ? ` · ${known.width}\u00a0×\u00a0${known.height}` : ''
    const name = known?.file ?? title
    const isNamed = isNameOf(title, name)
    const file = isNamed ? '' : ` · ${name}`
    const place = `${number.format(item + 1)} of ${number.format(itemCount)}`
    // A name that is too long is cut before its extension.
    const [head, tail] = parted(isNamed ? name : title)
    writeLabel(this.#title, { head, tail })
    this.#facts.textContent = `${place}${date}${size}${file}`
    this.#original.href = original
    this.#original.download = name
    return `${title}, ${place}`
  }
}
