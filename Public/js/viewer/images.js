// The pictures of the viewer: asked for as wide as the frame shows them, kept while it is open, neighbours ahead of time.

import { address, isEmbedded, read } from '../session/api.js'
import { averageColor, draw, isDrawable } from '../thumbnails/thumb-hash.js'
import { isMoving } from './original.js'

const WIDTHS = [640, 960, 1280, 1600, 2048, 2560, 3200, 4096]
const LARGEST = WIDTHS[WIDTHS.length - 1] // what the server renders at the most
const KEPT = 8 // pictures kept, so that going back is instant
const REACH = 2 // pictures to either side that are waited for
const HEAD = 8192 // bytes that tell whether a file moves: a PNG may have a colour profile first
const LONGEST = 64e6 // bytes of a file that is shown as it is
const FINAL = [404, 415, 422] // statuses that another try does not change
const UNKNOWN = '#202328' // colour of a picture of which nothing is known

/** The address of an image that stands in for a picture: its blur, or one pixel of its colour. */
export function placeholder(/** @type {Uint8Array | null} */ hash, color = UNKNOWN) {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
  if (hash && isDrawable(hash)) draw(hash, canvas)
  else {
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
    context.fillStyle = hash ? averageColor(hash) : color
    context.fillRect(0, 0, 1, 1)
  }
  return canvas.toDataURL()
}

export class ViewerImages {
  #frame
  #images = new Map() // by item and width, the oldest first
  #itemCount = 0
  #path
  /** @type {{reading: AbortController, image?: HTMLImageElement} | null} The file of the item on show, if that is asked for. */
  #file = null

  /** `path(item, what, query)` names a picture of an item. */
  constructor(frame, path) {
    this.#frame = frame
    this.#path = path
  }

  begin(/** @type {number} */ itemCount) {
    this.#itemCount = itemCount
    this.clear()
  }

  clear() {
    this.release()
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
      image.src = address(this.#path(item, 'image', { width: String(width) }))
      this.#images.set(key, image)
      for (const old of [...this.#images.keys()]) {
        if (this.#images.size <= KEPT) break
        if (!old.startsWith(`${current} `)) this.#drop(old)
      }
    }
    return image
  }

  /** The file of an item as a decoded image, if its first bytes say that it moves; null if they do not, or the viewer left it. */
  async moving(item) {
    this.release()
    if (/** @type {any} */ (navigator).connection?.saveData) return null
    const file = (this.#file = { reading: new AbortController(), image: undefined })
    try {
      return (await this.#moves(item, file)) ? await this.#decoded(item, file) : null
    } catch {
      return null // the still picture stays
    }
  }

  /** The file of an item as a decoded image; null if it cannot be shown, moves though only a still is wanted, or the viewer left it. */
  async original(item, { onlyStill }) {
    this.release()
    const file = (this.#file = { reading: new AbortController(), image: undefined })
    try {
      return onlyStill && (await this.#moves(item, file)) ? null : await this.#decoded(item, file)
    } catch {
      return null // the rendered picture stays
    }
  }

  /** Releases the file that is or will be on show, and stops its download. */
  release() {
    this.#file?.reading.abort()
    this.#file?.image?.removeAttribute('src')
    this.#file = null
  }

  /** Whether the file of an item is an animation that is not too large, by its first bytes. */
  async #moves(item, { reading }) {
    const headers = { range: `bytes=0-${HEAD - 1}` }
    const answer = await fetch(address(this.#path(item, 'original')), { headers, credentials: 'include', signal: reading.signal })
    const isPart = answer.status === 206 && Number(answer.headers.get('content-range')?.split('/')[1]) <= LONGEST
    if (isPart && isMoving(new Uint8Array(await answer.arrayBuffer()))) return true
    reading.abort() // the rest of a response that is no part
    return false
  }

  /** The image stays with `file`: while it lives the browser shows its bytes elsewhere without another request. */
  async #decoded(item, file) {
    if (this.#file !== file) return null
    const image = (file.image = new Image())
    if (isEmbedded) image.crossOrigin = 'use-credentials'
    image.src = address(this.#path(item, 'original'))
    await image.decode()
    return this.#file === file ? image : null
  }

  /** Whether this image still stands for the picture of an item. */
  holds(item, width, image) {
    return this.#images.get(`${item} ${width}`) === image
  }

  /**
   * Why there is no image of an item, and whether another try can help.
   * @returns {Promise<{reason: string, retryable: boolean}>}
   */
  async failure(item, width) {
    const reading = new AbortController()
    const sent = fetch(address(this.#path(item, 'image', { width: String(width) })), { credentials: 'include', signal: reading.signal })
    try {
      // The bytes of an image that the browser could not decode are not needed.
      await read(sent.then((answer) => (answer.ok && reading.abort(), answer)))
    } catch (error) {
      if (error.name !== 'AbortError') return { reason: error.message.replace(/^The picture is not available: /, ''), retryable: !FINAL.includes(error.status) }
    }
    return { reason: 'The picture cannot be read.', retryable: true }
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
      if (next >= 0 && next < this.#itemCount) this.fetch(next, this.width, item)
    }
  }
}
