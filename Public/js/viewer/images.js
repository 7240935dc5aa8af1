// The images of the viewer: requested at the width of the frame, cached while the viewer is open, neighbours preloaded.

import { address, isEmbedded, read } from '../session/api.js'
import { averageColor, draw, isDrawable } from '../thumbnails/thumb-hash.js'
import { isMoving } from './original.js'

const WIDTHS = [640, 960, 1280, 1600, 2048, 2560, 3200, 4096]
const LARGEST = WIDTHS[WIDTHS.length - 1] // px of the widest image that the server renders
const CACHED = 8 // images in the cache, so that going back is instant
const REACH = 2 // pictures on either side whose loading images are not cancelled
const HEAD = 8192 // bytes that show whether a file is animated. A PNG may start with a colour profile
const LONGEST = 64e6 // bytes of the largest file that is shown as an animation
const FINAL = [404, 415, 422] // HTTP status codes for which a retry is useless
const UNKNOWN = '#202328' // colour of a picture if nothing is known about it

/** Returns the data URL of a placeholder for a picture: its blur, or one pixel of its colour. */
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
  /** @type {{reading: AbortController, image?: HTMLImageElement} | null} The file of the open item, if requested. */
  #file = null

  /** `path(item, what, query)` returns the path of an item's image. */
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

  /** Image width to request, in px: the width of the frame in screen pixels. */
  get width() {
    return this.atLeast(Math.max(this.#frame.clientWidth, 320) * (devicePixelRatio || 1))
  }

  atLeast(pixels) {
    return WIDTHS.find((width) => width >= pixels) ?? LARGEST
  }

  /**
   * Returns an image that has loaded, or is loading, the picture of an item. The images of `current` are never evicted.
   * Cancels loading images that are far from `current`. The server then stops rendering them.
   */
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
        if (this.#images.size <= CACHED) break
        if (!old.startsWith(`${current} `)) this.#drop(old)
      }
    }
    return image
  }

  /** Returns the file of an item as a decoded image, or null if it is no animation or was released. */
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

  /**
   * Returns the file of an item as a decoded image. Returns null if the browser cannot show the file, if it is animated although
   * `onlyStill` is set, or if the file was released.
   */
  async original(item, { onlyStill }) {
    this.release()
    const file = (this.#file = { reading: new AbortController(), image: undefined })
    try {
      return onlyStill && (await this.#moves(item, file)) ? null : await this.#decoded(item, file)
    } catch {
      return null // the rendered picture stays
    }
  }

  /** Releases the file that is shown or loading, and stops its download. */
  release() {
    this.#file?.reading.abort()
    this.#file?.image?.removeAttribute('src')
    this.#file = null
  }

  /** Whether the first bytes of an item's file are those of an animation of at most `LONGEST` bytes. */
  async #moves(item, { reading }) {
    const headers = { range: `bytes=0-${HEAD - 1}` }
    const response = await fetch(address(this.#path(item, 'original')), { headers, credentials: 'include', signal: reading.signal })
    const isPart = response.status === 206 && Number(response.headers.get('content-range')?.split('/')[1]) <= LONGEST
    if (isPart && isMoving(new Uint8Array(await response.arrayBuffer()))) return true
    reading.abort() // also cancels the body of a response that is not partial
    return false
  }

  /** Decodes the file of an item. `file` keeps the image alive, so the browser can show its bytes elsewhere without another request. */
  async #decoded(item, file) {
    if (this.#file !== file) return null
    const image = (file.image = new Image())
    if (isEmbedded) image.crossOrigin = 'use-credentials'
    image.src = address(this.#path(item, 'original'))
    await image.decode()
    return this.#file === file ? image : null
  }

  /** Whether the cache still has this image for the picture of an item. */
  holds(item, width, image) {
    return this.#images.get(`${item} ${width}`) === image
  }

  /**
   * Returns the reason why an item has no image, and whether a retry can help.
   * @returns {Promise<{reason: string, retryable: boolean}>}
   */
  async failure(item, width) {
    const reading = new AbortController()
    const sent = fetch(address(this.#path(item, 'image', { width: String(width) })), { credentials: 'include', signal: reading.signal })
    try {
      // The bytes of an image that the browser could not decode are not needed.
      await read(sent.then((response) => (response.ok && reading.abort(), response)))
    } catch (error) {
      if (error.name !== 'AbortError') return { reason: error.message.replace(/^The picture is not available: /, ''), retryable: !FINAL.includes(error.status) }
    }
    return { reason: 'The picture cannot be read.', retryable: true }
  }

  /** Removes the failed image of an item, so that the next request loads it again. */
  forget(item, width) {
    this.#drop(`${item} ${width}`)
  }

  /** Removes an image. Removing its address stops the download. */
  #drop(key) {
    this.#images.get(key)?.removeAttribute('src')
    this.#images.delete(key)
  }

  /** Preloads the neighbours of an item, in the order in which the person is likely to view them. */
  ahead(item, isForward) {
    for (const step of isForward ? [1, -1, 2] : [-1, 1, -2]) {
      const next = item + step
      if (next >= 0 && next < this.#itemCount) this.fetch(next, this.width, item)
    }
  }
}
