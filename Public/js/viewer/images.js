// The pictures of the viewer: asked for as wide as the frame shows them, kept while it is open, neighbours ahead of time.

import { address, isEmbedded } from '../session/api.js'

const WIDTHS = [640, 960, 1280, 1600, 2048, 2560, 3200, 4096]
const LARGEST = WIDTHS[WIDTHS.length - 1] // what the server renders at the most
const KEPT = 8 // pictures kept, so that going back is instant
const REACH = 2 // pictures to either side that are waited for

export class ViewerImages {
  #frame
  #images = new Map() // by item and width, the oldest first
  #gallery = null

  constructor(frame) {
    this.#frame = frame
  }

  begin(gallery) {
    this.#gallery = gallery
    this.clear()
  }

  clear() {
    for (const key of [...this.#images.keys()]) this.#drop(key)
  }

  /** The width in px to ask for: that of the frame, in pixels of the screen. */
  get width() {
    return this.atLeast(Math.max(this.#frame.clientWidth, 320) * (devicePixelRatio || 1))
  }

  atLeast(pixels) {
    return WIDTHS.find((width) => width >= pixels) ?? LARGEST
  }

  /** An image that holds, or will hold, the picture of an item; those around `current` stay longest. What has not come
   * and is not around it is waited for no longer: the server stops making it. */
  fetch(item, width, current) {
    for (const [key, image] of [...this.#images]) {
      if (!image.complete && Math.abs(parseInt(key, 10) - current) > REACH) this.#drop(key)
    }
    const key = `${item} ${width}`
    let image = this.#images.get(key)
    if (!image) {
      image = new Image()
      if (isEmbedded) image.crossOrigin = 'use-credentials'
      image.src = this.address(item, `image?width=${width}`)
      this.#images.set(key, image)
      for (const old of [...this.#images.keys()]) {
        if (this.#images.size <= KEPT) break
        if (!old.startsWith(`${current} `)) this.#drop(old)
      }
    }
    return image
  }

  /** An image that will hold the file of an item as it is. */
  original(item) {
    const image = new Image()
    if (isEmbedded) image.crossOrigin = 'use-credentials'
    image.src = this.address(item, 'original')
    return image
  }

  /** Whether this image still stands for the picture of an item. */
  holds(item, width, image) {
    return this.#images.get(`${item} ${width}`) === image
  }

  /** Lets a picture that failed be asked for again. */
  forget(item, width) {
    this.#drop(`${item} ${width}`)
  }

  /** Without its address an image is loaded no further. */
  #drop(key) {
    this.#images.get(key)?.removeAttribute('src')
    this.#images.delete(key)
  }

  /** Loads what is likely to be looked at next. */
  ahead(item, isForward) {
    for (const step of isForward ? [1, -1, 2] : [-1, 1, -2]) {
      const next = item + step
      if (next >= 0 && next < this.#gallery.itemCount) this.fetch(next, this.width, item)
    }
  }

  address(item, what) {
    return address(`api/v1/galleries/${encodeURIComponent(this.#gallery.id)}/items/${item}/${what}`)
  }
}
