// One cell of the grid. Cells are recycled. A cell never shows anything of a former item.

import { averageColor, draw, isDrawable } from '../thumbnails/thumb-hash.js'
import { badgeInWords, labelInWords, timeInWords } from './picture-in-words.js'

/**
 * @typedef {object} CellSources Sources of the contents of cells.
 * @property {import('../thumbnails/thumbnail-cache.js').ThumbnailCache} thumbnails
 * @property {(item: number) => string} describe An item's name.
 * @property {(item: number) => Uint8Array | null} hash An item's ThumbHash, or null if unknown.
 * @property {(item: number) => string} color An item's colour if its hash is unknown. '' if the colour is unknown, too.
 * @property {(item: number) => boolean} [isSelected]
 * @property {(item: number) => {taken?: {time: string}, file?: string, kind?: string, duration?: number, width?: number, height?: number} | undefined} [known] The gallery's data.
 * @property {Map<number, {image: HTMLImageElement, picture: any}>} [moved] Images taken from other cells, by the current number of
 * their item.
 */

export class Cell {
  /** The item in the cell, or -1. */
  item = -1
  /** waiting, preview, ready, failed, or film (a video without a picture) */
  state = ''
  /** @type {HTMLDivElement} */
  element
  /** @type {HTMLImageElement} The shown image. If none is shown, the image for the next picture. */
  image
  /** @type {CellSources} */
  #sources
  #source = null // the shown picture, or the one being loaded
  #shown = null // the picture in `image` once it has loaded
  #turn = 0 // incremented when another picture is to be shown, so that finished loading can be outdated
  #tint = '' // the background colour
  /** @type {HTMLCanvasElement | null} */
  #blur = null // shows the picture's ThumbHash
  #blurred = -1 // the item whose hash is drawn
  #name = ''
  /** @type {HTMLElement | null} */
  #badge = null
  #isSelected = false
  #problem = null // the element with the error message

  constructor(/** @type {CellSources} */ sources) {
    this.#sources = sources
    const element = (this.element = document.createElement('div'))
    element.className = 'cell'
    element.setAttribute('role', 'gridcell')
    element.setAttribute('part', 'cell')
    element.tabIndex = -1
    this.image = this.#picture()
    element.append(this.image)
  }

  /** Sets the cell's item. Shows its picture immediately if `now`, otherwise at the next `refresh`. */
  assign(item, now) {
    if (item !== this.item) {
      this.item = item
      this.#blurred = -1
      this.element.dataset.item = item
      this.#clear()
      this.learn()
      this.#adopt(this.#sources.moved?.get(item))
    }
    if (now) this.refresh() // also for the same item: its picture may have loaded while the cell was unused
  }

  /** Whether the cell does not show the item's current picture or failure. */
  get isOutdated() {
    return this.#sources.thumbnails.get(this.item)?.src !== this.#source?.src || this.#sources.thumbnails.failure(this.item) !== undefined
  }

  /** Updates name, badge, blur and selection. Call this when more is known about the item. */
  learn() {
    const failure = ['failed', 'film'].includes(this.state) && this.#sources.thumbnails.failure(this.item)
    if (failure) this.#fail(failure)
    else if (this.state !== 'failed' && this.state !== 'film') this.#describe()
    this.#hint()
    this.mark()
  }

  /** Whether the cell shows neither the picture nor a blur or colour of it. */
  get isEmpty() {
    return this.state === 'waiting' && this.#blurred !== this.item && !this.#tint
  }

  /** Draws a blur if the picture has not arrived and has a drawable hash, otherwise shows a colour. A blur stays until the picture has loaded. */
  #hint() {
    if (this.#blurred === this.item) return
    const hash = this.#sources.hash(this.item)
    const isDrawn = hash !== null && isDrawable(hash) && !this.#sources.thumbnails.get(this.item)
    const color = isDrawn ? '' : hash ? averageColor(hash) : this.#sources.color(this.item)
    if (this.#tint !== color) this.element.style.backgroundColor = this.#tint = color
    if (isDrawn) {
      if (!this.#blur) this.element.prepend((this.#blur = document.createElement('canvas')))
      draw(hash, this.#blur)
      this.#blurred = this.item
    }
    if (this.#blur && this.#blur.hidden === isDrawn) this.#blur.hidden = !isDrawn
  }

  /** Updates whether the cell looks selected. */
  mark() {
    const isSelected = this.#sources.isSelected?.(this.item) ?? false
    if (isSelected === this.#isSelected) return
    this.#isSelected = isSelected
    this.element.toggleAttribute('data-selected', isSelected)
    if (isSelected) this.element.setAttribute('aria-selected', 'true')
    else this.element.removeAttribute('aria-selected')
  }

  /** Shows the item's current picture or failure. */
  refresh() {
    const picture = this.#sources.thumbnails.get(this.item)
    if (picture) {
      if (picture.src === this.#source?.src) return
      this.#unfail()
      this.#show(picture)
      return
    }
    const failure = this.#sources.thumbnails.failure(this.item)
    if (failure) {
      this.#clear()
      this.#fail(failure)
    } else if (!this.#source) {
      this.#unfail()
      this.#enter('waiting')
      this.#hint()
    }
  }

  forget() {
    this.item = -1
    this.#clear()
  }

  /** Empties the cell and returns the image it showed as `{image, picture}`, or null. */
  give() {
    const given = this.#shown && { image: this.image, picture: this.#shown }
    if (given) this.#replaceImage(this.#picture())
    this.forget()
    return given
  }

  /** Shows an image taken from another cell. It is already loaded. */
  #adopt(given) {
    if (!given || !this.#sources.thumbnails.get(this.item)) return
    this.#replaceImage(given.image)
    this.#source = this.#shown = given.picture
    this.#enter(given.picture.isPreview ? 'preview' : 'ready')
  }

  /** Shows that the picture is being loaded. */
  work() {
    if (this.state === 'waiting') this.element.dataset.working = '' // a preview needs no such sign
  }

  retry() {
    this.#unfail()
    this.#enter('waiting')
    this.#describe()
  }

  place(x, y, width, height) {
    const style = this.element.style
    style.left = `${x}px`
    style.top = `${y}px`
    style.width = `${width}px`
    style.height = `${height}px`
  }

  /** Updates the name and the badge. */
  #describe() {
    const known = this.#sources.known?.(this.item)
    const badge = known ? badgeInWords(known) : ''
    if (badge) this.#badge ??= this.element.appendChild(Object.assign(document.createElement('span'), { className: 'badge' }))
    if (this.#badge && this.#badge.textContent !== badge) this.#badge.textContent = badge
    this.#call(labelInWords(this.#sources.describe(this.item), known))
  }

  #call(name) {
    if (this.#name !== name) this.element.setAttribute('aria-label', (this.#name = name))
  }

  #picture() {
    const image = document.createElement('img')
    image.alt = ''
    image.draggable = false
    return image
  }

  /** Shows a picture as soon as it has loaded. If the cell shows another picture, that one stays until the new one is decoded. */
  async #show(picture) {
    const turn = ++this.#turn
    this.#source = picture
    const image = this.#shown ? this.#picture() : this.image
    const readable = await (this.#shown ? decode(image, picture.src) : load(image, picture.src))
    if (turn !== this.#turn) return // the cell has another picture to show
    if (!readable && picture.isPreview) {
      this.#sources.thumbnails.forgetPreview(this.item)
      this.#clear()
      return this.refresh()
    }
    if (!readable) {
      this.#sources.thumbnails.fail({ item: this.item, reason: 'The picture cannot be read.', retryable: true })
      return this.refresh()
    }
    if (image !== this.image) this.#replaceImage(image)
    this.#shown = picture
    if (this.#blur) this.#blur.hidden = true // so that the browser need not paint it
    this.#enter(picture.isPreview ? 'preview' : 'ready')
  }

  #replaceImage(image) {
    this.image.replaceWith(image)
    this.image = image
  }

  #clear() {
    this.#turn += 1
    this.#source = this.#shown = null
    this.#blurred = -1
    if (this.image.hasAttribute('src')) this.image.removeAttribute('src')
    this.#unfail()
    this.#enter('waiting')
  }

  #enter(state) {
    if (this.state === state) return
    this.state = this.element.dataset.state = state
    delete this.element.dataset.working
  }

  #fail({ reason, retryable, video }) {
    const name = this.#sources.describe(this.item)
    if (video) return this.#showFilm(name, this.#sources.known?.(this.item))
    this.#problem ??= this.element.appendChild(problem())
    const [what, file, why] = this.#problem.children
    what.textContent = retryable ? 'Can’t load this picture' : 'Can’t open this file'
    file.textContent = name
    why.textContent = reason
    this.#problem.title = `${name}: ${reason}`
    this.#enter('failed')
    this.#call(`${name}, failed: ${reason}`)
  }

  /** Shows the name and the length of a video without a picture. */
  #showFilm(/** @type {string} */ name, /** @type {{file?: string, duration?: number, taken?: {time: string}}} */ known = {}) {
    const { file = name, duration } = known
    this.#problem ??= this.element.appendChild(Object.assign(document.createElement('span'), { className: 'film' }))
    const length = duration ? timeInWords(duration) : ''
    this.#problem.replaceChildren(...[file, length].map((textContent) => Object.assign(document.createElement('span'), { textContent })))
    this.#enter('film')
    this.#call(labelInWords(name, { ...known, isVideo: true }))
  }

  #unfail() {
    this.#problem?.remove()
    this.#problem = null
  }
}

/** Loads a picture into an image. Resolves to whether the picture is readable. */
function load(image, src) {
  return new Promise((resolve) => {
    // An event of the image's former picture can arrive while the new one is still loading.
    image.onload = image.onerror = () => image.complete && resolve(image.naturalWidth > 0)
    image.src = src
  })
}

/** Loads a picture into an image and decodes it off the main thread. Resolves to whether the picture is readable. */
function decode(image, src) {
  image.src = src
  return image.decode().then(() => true, () => image.complete && image.naturalWidth > 0)
}

/** Creates the message for a failed picture: the error, the file name, and the reason behind a button. */
function problem() {
  const element = document.createElement('span')
  element.className = 'problem'
  const details = document.createElement('button')
  Object.assign(details, { type: 'button', tabIndex: -1, textContent: 'Details' })
  details.addEventListener('click', (event) => {
    event.preventDefault() // keep the click from retrying the picture
    element.toggleAttribute('data-detailed')
    details.textContent = element.hasAttribute('data-detailed') ? 'Hide' : 'Details'
  })
  element.append(document.createElement('b'), document.createElement('span'), document.createElement('small'), details)
  return element
}
