import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasShape, isMoving, isOriginalSharper, mayMove, renderedWidth } from '../../Public/js/viewer/original.js'

const head = (text, flags = 0) => {
  const bytes = new Uint8Array(32)
  bytes.set([...text].map((character) => character.charCodeAt(0)))
  bytes[20] = flags
  return bytes
}

test('isMoving recognizes an animated file by its first bytes', () => {
  assert.ok(isMoving(head('GIF89a')))
  assert.ok(isMoving(head('RIFF\0\0\0\0WEBPVP8X', 0b10)))
  assert.ok(!isMoving(head('RIFF\0\0\0\0WEBPVP8X', 0b10000)), 'transparent, not animated')
  assert.ok(!isMoving(head('RIFF\0\0\0\0WEBPVP8 ', 0b10)))
  assert.ok(isMoving(head('\0\0\0\x20ftypavis')))
  assert.ok(!isMoving(head('\0\0\0\x20ftypavif')))
  assert.ok(!isMoving(head('\x89PNG')) && !isMoving(new Uint8Array(0)))
})

const png = (...chunks) => new Uint8Array([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a,
  ...chunks.flatMap(([type, length]) => [0, 0, length >> 8, length & 255, ...Buffer.from(type), ...new Array(length + 4).fill(0)]),
])

test('a PNG is animated if an acTL chunk precedes the image data', () => {
  assert.ok(isMoving(png(['IHDR', 13], ['acTL', 8], ['IDAT', 20])))
  assert.ok(isMoving(png(['IHDR', 13], ['iCCP', 2600], ['PLTE', 768], ['acTL', 8], ['IDAT', 20])))
  assert.ok(!isMoving(png(['IHDR', 13], ['IDAT', 20])))
  assert.ok(!isMoving(png(['IHDR', 13], ['IDAT', 20], ['acTL', 8])), 'acTL follows the image data')
  assert.ok(!isMoving(png(['IHDR', 13], ['iCCP', 2600], ['acTL', 8]).subarray(0, 1000)), 'acTL is beyond the available bytes')
  assert.ok(!isMoving(png(['IHDR', 13], ['acTL', 8]).subarray(0, 37)), 'the chunk header is cut off')
  assert.ok(isMoving(new Uint8Array([1, 2, 3, ...png(['IHDR', 13], ['acTL', 8])]).subarray(3)), 'the bytes are part of a larger buffer')
})

test('mayMove judges by the file extension, and accepts only GIF and APNG for remote files', () => {
  for (const file of ['a.gif', 'a.WEBP', 'a.avif', 'a.png', 'a.apng']) assert.ok(mayMove(file, false), file)
  for (const file of ['a.gif', 'a.apng']) assert.ok(mayMove(file, true), file)
  for (const file of ['a.png', 'a.webp']) assert.ok(!mayMove(file, true), file)
  assert.ok(!mayMove('a.jpg', false) && !mayMove(undefined, false))
})

test('a rendered image has no side over 4,096 px and is not larger than the picture', () => {
  assert.equal(Math.round(renderedWidth({ width: 1080, height: 15_000 }, 1280)), 295)
  assert.equal(renderedWidth({ width: 6000, height: 4000 }, 1280), 1280)
  assert.equal(renderedWidth({ width: 6000, height: 4000 }, 4096), 4096)
  assert.equal(renderedWidth({ width: 800, height: 600 }, 1280), 800)
})

test('the original is shown if it is sharper than any rendered image and the browser can decode it', () => {
  const long = { width: 1080, height: 15_000, file: 'long.jpg' }
  assert.ok(isOriginalSharper(long, 1080) && isOriginalSharper(long, 310))
  assert.ok(!isOriginalSharper(long, 290), 'a rendered image is sharp enough')
  assert.ok(isOriginalSharper({ width: 8000, height: 6000, file: 'a.PNG' }, 8000))
  assert.ok(!isOriginalSharper({ width: 4096, height: 3000, file: 'a.jpg' }, 8000), 'the rendered image has all pixels')
  for (const file of ['long.heic', 'long.jxl']) assert.ok(!isOriginalSharper({ ...long, file }, 1080), 'browsers cannot decode the format')
  assert.ok(!isOriginalSharper({ ...long, file: undefined }, 1080))
  assert.ok(!isOriginalSharper({ width: 100, height: 40_000, file: 'a.png' }, 100), 'the side is too long for a browser')
  assert.ok(!isOriginalSharper({ width: 24_000, height: 4000, file: 'a.jpg' }, 24_000), 'too many pixels')
})

test('hasShape rejects an image with other proportions', () => {
  assert.ok(hasShape({ naturalWidth: 1080, naturalHeight: 15_000 }, { width: 1080, height: 15_000 }))
  assert.ok(hasShape({ naturalWidth: 2400, naturalHeight: 1600 }, { width: 1201, height: 800 }))
  assert.ok(!hasShape({ naturalWidth: 15_000, naturalHeight: 1080 }, { width: 1080, height: 15_000 }), 'the image is not rotated')
})
