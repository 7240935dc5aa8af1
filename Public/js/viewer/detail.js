// Replaces the image that the viewer shows by a sharper one: the file, if the file moves or is sharper, or the largest rendered image.

import { hasShape, isOriginalSharper, mayMove, renderedWidth } from './original.js'

const stillness = matchMedia('(prefers-reduced-motion: reduce)')

export class Detail {
  #images
  #viewer
  /** @type {{file: '' | 'loading' | 'shown' | 'failed', isLargest: boolean}} State of the picture on show. Each picture has its own object. */
  #state = { file: '', isLargest: false }

  /**
   * `item()` is the picture on show, `known(item)` what is known of it, `fill(src)` shows an image, `load(item, width)` a rendered one,
   * `busy(isBusy)` says that the file is being loaded.
   * @param {import('./images.js').ViewerImages} images
   */
  constructor(images, { item, known, isRemote, fill, load, busy }) {
    this.#images = images
    this.#viewer = { item, known, isRemote, fill, load, busy }
  }

  /** Whether the file is on show, and no rendered image may take its place. */
  get isFile() {
    return this.#state.file === 'shown'
  }

  /** Call this when another picture is on show, or another version of it. */
  forget() {
    this.#images.release()
    this.#state = { file: '', isLargest: false }
  }

  /** Shows the file of a picture that is an animation, unless the person wants no motion. */
  async move() {
    const state = this.#state
    const item = this.#viewer.item()
    if (stillness.matches || state.file || !mayMove(this.#viewer.known(item)?.file, this.#viewer.isRemote())) return
    const image = await this.#images.moving(item)
    if (image && this.#state === state) this.#show(image)
  }

  /** Shows what is sharp for a picture that is `shownWidth` pixels of the screen wide. */
  sharpen(/** @type {number} */ shownWidth) {
    const known = this.#viewer.known(this.#viewer.item())
    const { file } = this.#state
    if (!known?.width || file === 'loading' || file === 'shown') return
    if (!file && isOriginalSharper(known, shownWidth)) this.#showFile(known.file)
    else this.#showLargest()
  }

  /** Shows the file. What is on show stays until the file is decoded, and if that fails. */
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
