// Decodes a ThumbHash (evanw.github.io/thumbhash) directly at the small size of a placeholder. That takes a few microseconds. The
// published decoder draws 32 pixels a side.

const SIDE = 8 // pixels of the longer side. Stretched to a cell, they look like a soft blur
const TERMS = 7 // maximum number of terms per side

/** Cosines at the centres of pixels, for each number of pixels: `cosines[count][pixel * TERMS + term]`. */
const cosines = Array.from({ length: SIDE + 1 }, (_, count) =>
  Float64Array.from({ length: count * TERMS }, (_, index) => Math.cos((Math.PI / count) * (Math.floor(index / TERMS) + 0.5) * (index % TERMS))),
)
const light = new Float64Array(32)
const yellow = new Float64Array(5)
const red = new Float64Array(5)
/** @type {Map<number, ImageData>} by width and height */
const images = new Map()

const hasAlpha = (hash) => (hash[2] & 0x80) !== 0

/** Returns the average colour of a picture in CSS syntax. `hash` has 5 to 25 bytes, and zeros may follow. */
export function averageColor(hash) {
  const { l, p, q } = constants(hash)
  return `rgb(${rgb(l, p, q).map((part) => Math.round(Math.min(1, Math.max(0, part)) * 255)).join(' ')})`
}

/** Whether a hash can be drawn. For a picture with transparent parts, only the average colour is used. */
export const isDrawable = (hash) => !hasAlpha(hash)

/** Returns how much the brightness of a picture varies, 0 … 1. 0 for a single colour, and for pictures with transparent parts. */
export function contrastOf(hash) {
  if (!isDrawable(hash)) return 0
  const { width, height } = sizeOf(hash)
  const pixels = new Uint8ClampedArray(width * height * 4)
  decode(hash, pixels, width, height)
  const lights = Array.from({ length: width * height }, (_, pixel) => (pixels[pixel * 4] + pixels[pixel * 4 + 1] + pixels[pixel * 4 + 2]) / 765)
  const mean = lights.reduce((sum, one) => sum + one, 0) / lights.length
  return Math.min(1, 2 * Math.sqrt(lights.reduce((sum, one) => sum + (one - mean) ** 2, 0) / lights.length))
}

/** Returns the canvas size for drawing a hash, close to the picture's proportions. */
export function sizeOf(hash) {
  const { nx, ny } = sides(hash)
  const longest = Math.max(nx, ny)
  return { width: Math.max(1, Math.round((SIDE * nx) / longest)), height: Math.max(1, Math.round((SIDE * ny) / longest)) }
}

/** Draws an opaque picture on a canvas and sets the canvas's size. */
export function draw(hash, /** @type {HTMLCanvasElement} */ canvas) {
  const { width, height } = sizeOf(hash)
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  const key = width * 16 + height
  let image = images.get(key)
  if (!image) images.set(key, (image = new ImageData(width, height)))
  decode(hash, image.data, width, height)
  canvas.getContext('2d')?.putImageData(image, 0, 0)
}

/** Writes the pixels of an opaque picture as red, green, blue, alpha. */
export function decode(hash, /** @type {Uint8ClampedArray} */ pixels, width, height) {
  const { l, p, q, lScale, pScale, qScale } = constants(hash)
  const { nx, ny } = sides(hash)
  const [lx, ly] = [Math.max(3, nx), Math.max(3, ny)]
  let wave = 10 // in half-bytes, after the 5-byte head
  const next = (scale) => {
    const half = (hash[wave >> 1] >> ((wave & 1) << 2)) & 15
    wave += 1
    return (half / 7.5 - 1) * scale
  }
  let count = 0
  for (let cy = 0; cy < ly; cy++) for (let cx = cy ? 0 : 1; cx * ly < lx * (ly - cy); cx++) light[count++] = next(lScale)
  for (let index = 0; index < 5; index++) yellow[index] = next(pScale * 1.25)
  for (let index = 0; index < 5; index++) red[index] = next(qScale * 1.25)
  const [across, down] = [cosines[width], cosines[height]]
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      let [L, P, Q] = [l, p, q]
      for (let cy = 0, index = 0; cy < ly; cy++) {
        const vertical = down[y * TERMS + cy] * 2
        for (let cx = cy ? 0 : 1; cx * ly < lx * (ly - cy); cx++) L += light[index++] * across[x * TERMS + cx] * vertical
      }
      for (let cy = 0, index = 0; cy < 3; cy++) {
        const vertical = down[y * TERMS + cy] * 2
        for (let cx = cy ? 0 : 1; cx < 3 - cy; cx++, index++) {
          const term = across[x * TERMS + cx] * vertical
          P += yellow[index] * term
          Q += red[index] * term
        }
      }
      const [r, g, b] = rgb(L, P, Q)
      pixels[at] = r * 255
      pixels[at + 1] = g * 255
      pixels[at + 2] = b * 255
      pixels[at + 3] = 255
    }
  }
}

function rgb(l, p, q) {
  const b = l - (2 / 3) * p
  const r = (3 * l - b + q) / 2
  return [r, r - q, b]
}

function constants(hash) {
  const head = hash[0] | (hash[1] << 8) | (hash[2] << 16)
  const tail = hash[3] | (hash[4] << 8)
  return {
    l: (head & 63) / 63, p: ((head >> 6) & 63) / 31.5 - 1, q: ((head >> 12) & 63) / 31.5 - 1, lScale: ((head >> 18) & 31) / 31,
    pScale: ((tail >> 3) & 63) / 63, qScale: ((tail >> 9) & 63) / 63,
  }
}

/** Returns the number of terms across and down. Their ratio is that of the picture's sides. */
function sides(hash) {
  const longer = hasAlpha(hash) ? 5 : 7
  const other = hash[3] & 7
  return hash[4] & 0x80 ? { nx: longer, ny: other } : { nx: other, ny: longer }
}
