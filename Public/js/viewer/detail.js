// Replaces the image in the viewer with a sharper one: the file, if it is animated or sharper, or else the largest rendered image.

import { hasShape, isOriginalSharper, mayMove, renderedWidth } from './original.js'

const stillness = matchMedia('(prefers-reduced-motion: reduce)')

export class Detail {
  #images
  #viewer
  /** @type {{file: '' | 'loading' | 'shown' | 'failed', isLargest: boolean}} State of the open picture. Each picture has its own object. */
  #state = { file: '', isLargest: false }

  /**
   * `item()` returns the open picture and `known(item)` its data. `fill(src)` shows an image, `load(item, width)` a rendered one.
   * `busy(isBusy)` is called when the download of the file begins and ends.
   * @param {import('./images.js').ViewerImages} images
   */
  constructor(images, { item, known, isRemote, fill, load, busy }) {
    this.#images = images
    this.#viewer = { item, known, isRemote, fill, load, busy }
  }

  /** Whether the file is shown. No rendered image may replace it then. */
  get isFile() {
    return this.#state.file === 'shown'
  }

  /** Call this when another picture, or another version of it, is shown. */
  forget() {
    this.#images.release()
    this.#state = { file: '', isLargest: false }
  }

  /** Shows the file if it is an animation, unless the person prefers reduced motion. */
  async move() {
    const state = this.#state
    const item = this.#viewer.item()
    if (stillness.matches || state.file || !mayMove(this.#viewer.known(item)?.file, this.#viewer.isRemote())) return
    const image = await this.#images.moving(item)
    if (image && this.#state === state) this.#show(image)
  }

  /** Shows a sharper image, if there is one, of a picture that is `shownWidth` screen pixels wide. */
  sharpen(/** @type {number} */ shownWidth) {
    const known = this.#viewer.known(this.#viewer.item())
    const { file } = this.#state
    if (!known?.width || file === 'loading' || file === 'shown') return
    if (!file && isOriginalSharper(known, shownWidth)) this.#showFile(known.file)
    else this.#showLargest()
  }

  /** Shows the file. The current image stays until the file is decoded, and stays if decoding fails. */
  async #showFile(name) {
    const state = this.#state
    state.file = 'loading'
    this.#viewer.busy(true)
    const image = await this.#images.original(this.#viewer.item(), { onlyStill: stillness.matches && mayMove(name, false) })
    if (this.#state !== state) return
    this.#viewer.busy(false)
    const known = this.#viewer.known(this.#viewer.item())
    if (image && known && hasShape(image, known)) return this.#show(image)
    state.file = 'failed'
    this.#images.release()
    this.#showLargest()
  }

  #show(image) {
    this.#state.file = 'shown'
    this.#viewer.fill(image.src)
  }

  #showLargest() {
    const item = this.#viewer.item()
    const known = this.#viewer.known(item)
    if (this.#state.isLargest || !known?.width) return
    const width = this.#images.atLeast(known.width)
    if (renderedWidth(known, width) <= renderedWidth(known, this.#images.width)) return
    this.#state.isLargest = true
    this.#viewer.load(item, width)
  }
}
