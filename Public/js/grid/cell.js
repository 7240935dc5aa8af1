// One cell of the grid. It is recycled: everything it shows belongs to the item it has now, or it shows nothing.

import { averageColor, draw, isDrawable } from '../thumbnails/thumb-hash.js'
import { nextFrame } from './next-frame.js'
import { badgeInWords, labelInWords, timeInWords } from './picture-in-words.js'

const stillness = matchMedia('(prefers-reduced-motion: reduce)')

/**
 * @typedef {object} CellSources Where cells find what they show.
 * @property {import('../thumbnails/thumbnail-cache.js').ThumbnailCache} thumbnails
 * @property {(item: number) => string} describe An item's name.
 * @property {(item: number) => Uint8Array | null} hash Its ThumbHash, null while unknown.
 * @property {(item: number) => string} color Its colour where no hash is known; '' for none.
 * @property {(item: number) => boolean} [isSelected]
 * @property {(item: number) => {taken?: {time: string}, file?: string, kind?: string, duration?: number, width?: number, height?: number} | undefined} [known] What the gallery knows of an item.
 * @property {Map<number, {image: HTMLImageElement, picture: any}>} [moved] What other cells have shown, by the number that the item has
 * now.
 */

export class Cell {
  /** The item it shows, -1 for none. */
  item = -1
  /** waiting, preview, ready, failed; film: a video without a picture */
  state = ''
  /** @type {HTMLDivElement} */
  element
  /** @type {HTMLImageElement} What is on show, or the next when nothing is. */
  image
  /** @type {CellSources} */
  #sources
  #source = null // the picture it shows or is about to show
  #turn = 0 // rises whenever what it is about to show changes
  /** @type {{image: HTMLImageElement, picture: any} | null} What is on show until the next is decoded, and while that fades in. */
  #under = null
  #tint = '' // the colour under it
  /** @type {HTMLCanvasElement | null} */
  #blur = null // what its hash tells of the picture
  #blurred = -1 // the item that it was drawn of
  #name = ''
  /** @type {HTMLElement | null} */
  #badge = null
  #isSelected = false
  #problem = null // the element that says what is wrong

  constructor(/** @type {CellSources} */ sources) {
    this.#sources = sources
    const element = (this.element = document.createElement('div'))
    element.className = 'cell'
    element.setAttribute('role', 'gridcell')
    element.setAttribute('part', 'cell')
    element.tabIndex = -1
    this.image = this.#picture() // what is on show, or the next when nothing is
    element.append(this.image)
    // Chromium may also tell of an end before the picture has begun to fade in; then it has an animation still.
    element.addEventListener('transitionend', ({ target }) => target === this.image && !this.image.getAnimations().length && this.#cover())
  }

  /** Gives the cell to an item, and shows what there is of it: `now`, or when it is next told to `refresh`. */
  assign(item, now) {
    if (item !== this.item) {
      this.item = item
      this.#blurred = -1
      this.element.dataset.item = item
      this.#clear()
      this.learn()
      this.#adopt(this.#sources.moved?.get(item))
    }
    if (now) this.refresh() // of the same item, too: its picture may have come while the cell was put aside
  }

  /** Whether there is more to show than it shows. */
  get lags() {
    return this.#sources.thumbnails.get(this.item)?.src !== this.#source?.src || this.#sources.thumbnails.failure(this.item) !== undefined
  }

  /** Takes up what has become known about the item. */
  learn() {
    const failure = ['failed', 'film'].includes(this.state) && this.#sources.thumbnails.failure(this.item)
    if (failure) this.#fail(failure)
    else if (this.state !== 'failed' && this.state !== 'film') this.#describe()
    this.#hint()
    this.mark()
  }

  /** Whether it shows nothing of its picture. */
  get isEmpty() {
    return this.state === 'waiting' && !this.image.classList.contains('shown') && this.#blurred !== this.item && !this.#tint
  }

  /** Shows what is known of the picture before it comes: its blur; a colour where it is here already, and only to be decoded. */
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

  /** Shows whether it is selected. */
  mark() {
    const isSelected = this.#sources.isSelected?.(this.item) ?? false
    if (isSelected === this.#isSelected) return
    this.#isSelected = isSelected
    this.element.toggleAttribute('data-selected', isSelected)
    if (isSelected) this.element.setAttribute('aria-selected', 'true')
    else this.element.removeAttribute('aria-selected')
  }

  /** Catches up with what is held; `fresh` when the picture just came, so that it fades in. */
  refresh(fresh = false) {
    const picture = this.#sources.thumbnails.get(this.item)
    if (picture) {
      if (picture.src === this.#source?.src) return
      this.#unfail()
      this.#show(picture, fresh)
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

  /** Empties the cell: what it showed is no longer true. */
  forget() {
    this.item = -1
    this.#clear()
  }

  /** Gives away what it shows: `{image, picture}`; null where that is nothing. */
  give() {
    const given = this.#shown
    given?.image.remove()
    given?.image.classList.remove('fresh') // one that has begun to fade in is there at once
    if (given?.image === this.image) this.image = this.#picture()
    this.forget()
    return given
  }

  get #shown() {
    return this.image.classList.contains('shown') ? { image: this.image, picture: this.#source } : this.#under
  }

  /** Goes on with what another cell has shown of its item, which is decoded already. */
  #adopt(given) {
    if (!given || !this.#sources.thumbnails.get(this.item)) return
    this.image.remove()
    this.image = given.image
    this.element.append(given.image)
    this.#source = given.picture
    this.#enter(given.picture.isPreview ? 'preview' : 'ready')
  }

  /** Shows that its picture is being worked on. */
  work() {
    if (this.state === 'waiting') this.element.dataset.working = '' // a preview speaks for itself
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

  /** Names the picture and shows its badge. */
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
    image.decoding = 'async'
    image.draggable = false
    return image
  }

  /** Decodes a picture off the main thread, and only then shows it, over the smaller one if there is one. */
  async #show(picture, fresh) {
    const turn = ++this.#turn
    if (this.image.classList.contains('shown')) {
      const shown = this.#shown
      this.#settle()
      this.#under = shown
      this.image = this.#picture()
    }
    this.#source = picture
    const { image } = this
    image.classList.toggle('fresh', fresh)
    image.src = picture.src
    const readable = await image.decode().then(() => true, () => image.complete && image.naturalWidth > 0)
    await nextFrame()
    if (turn !== this.#turn) return // the cell has gone on to another
    if (!readable && picture.isPreview) {
      this.#sources.thumbnails.forgetPreview(this.item)
      this.#clear()
      return this.refresh()
    }
    if (!readable) {
      this.#sources.thumbnails.fail({ item: this.item, reason: 'The picture cannot be read.', retryable: true })
      return this.refresh()
    }
    if (!image.parentNode) this.element.append(image)
    image.classList.add('shown')
    const fadesIn = fresh && !stillness.matches
    this.#enter(picture.isPreview ? 'preview' : 'ready')
    if (!fadesIn) this.#cover()
    else if (!this.#under) this.#settle()
  }

  /** The picture on show has covered all that was under it. What is not seen should not be painted either. */
  #cover() {
    this.#settle()
    if (this.#blur) this.#blur.hidden = true
  }

  /** The picture on show is the only one. */
  #settle() {
    this.#under?.image.remove()
    this.#under = null
  }

  #clear() {
    this.#turn += 1
    this.#source = null
    this.#blurred = -1
    this.#settle()
    this.image.classList.remove('shown', 'fresh')
    if (this.image.hasAttribute('src')) this.image.removeAttribute('src')
    if (!this.image.parentNode) this.element.append(this.image)
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
    if (video) return this.#tell(name, this.#sources.known?.(this.item))
    this.#problem ??= this.element.appendChild(problem())
    const [what, file, why] = this.#problem.children
    what.textContent = retryable ? 'Can’t load this picture' : 'Can’t open this file'
    file.textContent = name
    why.textContent = reason
    this.#problem.title = `${name}: ${reason}`
    this.#enter('failed')
    this.#call(`${name}, failed: ${reason}`)
  }

  /** Shows the name and the length of a video of which there is no picture. */
  #tell(/** @type {string} */ name, /** @type {{file?: string, duration?: number, taken?: {time: string}}} */ known = {}) {
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

/** A failed picture: its name, the error, and on demand the reason. */
function problem() {
  const element = document.createElement('span')
  element.className = 'problem'
  const details = document.createElement('button')
  Object.assign(details, { type: 'button', tabIndex: -1, textContent: 'Details' })
  details.addEventListener('click', (event) => {
    event.preventDefault() // the cell is not tried again
    element.toggleAttribute('data-told')
    details.textContent = element.hasAttribute('data-told') ? 'Hide' : 'Details'
  })
  element.append(document.createElement('b'), document.createElement('span'), document.createElement('small'), details)
  return element
}
