// Decides whether the viewer shows the file itself instead of an image rendered by the server.

const LARGEST = 4096 // px of the longer side of a rendered image
const SHOWN = /\.(jpe?g|jpe|jfif|a?png|webp|gif|avif)$/i
const MOVING = /\.(gif|webp|avif|a?png)$/i
const MOVING_REMOTE = /\.(gif|apng)$/i // for a URL, each check of the first bytes downloads the whole file
// px. Firefox cannot decode images with a longer side.
const LONGEST_SIDE = 32_767
// A decoded pixel has four bytes: the limit is a quarter of a gigabyte, or less if the browser reports little memory.
const MAXIMUM_PIXELS = /** @type {any} */ (globalThis.navigator)?.deviceMemory < 4 ? 24e6 : 64e6

/**
 * Returns the width in px of the image that the server renders.
 * @param {{width: number, height: number}} picture
 * @param {number} requested requested width in px
 */
export function renderedWidth({ width, height }, requested) {
  return Math.min(width, requested, (width * LARGEST) / Math.max(width, height))
}

/**
 * Whether the file has more detail than any rendered image, and the browser can show it.
 * @param {{width: number, height: number, file?: string}} picture
 * @param {number} shownWidth width of the shown picture in screen pixels
 */
export function isOriginalSharper({ width, height, file }, shownWidth) {
  const rendered = renderedWidth({ width, height }, width)
  const isWithinLimits = Math.max(width, height) <= LONGEST_SIDE && width * height <= MAXIMUM_PIXELS
  return Math.round(rendered) < width && shownWidth > rendered * 1.01 && isWithinLimits && SHOWN.test(file ?? '')
}

/** Whether a file may be an animation, judging by its name. */
export function mayMove(/** @type {string | undefined} */ file, /** @type {boolean} */ isRemote) {
  return (isRemote ? MOVING_REMOTE : MOVING).test(file ?? '')
}

/** Whether an image has the proportions of a picture. False if browser and server disagree about the orientation. */
export function hasShape({ naturalWidth, naturalHeight }, { width, height }) {
  return Math.abs(naturalWidth * height - naturalHeight * width) <= 0.02 * naturalWidth * height
}

/** Whether the first bytes of a file are those of a GIF, or of an animated WebP, AVIF or PNG. */
export function isMoving(/** @type {Uint8Array} */ head) {
  const text = String.fromCharCode(...head.subarray(0, 32))
  if (text.startsWith('RIFF')) return text.startsWith('WEBPVP8X', 8) && (head[20] & 2) !== 0
  if (text.startsWith('\x89PNG')) return hasFrames(head)
  return text.startsWith('GIF8') || text.startsWith('ftypavis', 4)
}

/** Whether a PNG has an animation chunk before its image data (W3C PNG, 11.3.6.1). */
function hasFrames(/** @type {Uint8Array} */ head) {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  for (let place = 8; place + 8 <= head.length; place += 12 + view.getUint32(place)) {
    const type = String.fromCharCode(...head.subarray(place + 4, place + 8))
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
  }
  return false
}
