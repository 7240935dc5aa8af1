// Blurs that cells show until their pictures load: decoding of hashes, requests for hashes, and the size of the cache.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'

globalThis.document = { baseURI: 'http://localhost/' }
const { Placeholders } = await import('../../Public/js/thumbnails/placeholders.js')
const { averageColor, contrastOf, decode, isDrawable, sizeOf } = await import('../../Public/js/thumbnails/thumb-hash.js')

/** A hash of one colour with a horizontal and a vertical wave of light. `across` and `down` are 0 … 15; 7.5 means no wave. */
function hash({ light = 32, across = 7, down = 7, lightScale = 0, landscape = false, terms = 7, alpha = false } = {}) {
  const bytes = new Uint8Array(25)
  const head = light | (32 << 6) | (32 << 12) | (lightScale << 18) | ((alpha ? 1 : 0) << 23)
  const tail = terms | ((landscape ? 1 : 0) << 15)
  bytes.set([head & 255, (head >> 8) & 255, (head >> 16) & 255, tail & 255, tail >> 8])
  bytes.fill(0x77, 5)
  bytes[5] = 0x70 | across
  // The second row of terms follows the first row, which lacks the constant term.
  const index = (landscape ? 7 : terms) - 1
  const shift = (index & 1) * 4
  bytes[5 + (index >> 1)] = (bytes[5 + (index >> 1)] & ~(15 << shift)) | (down << shift)
  return bytes
}

function drawn(bytes) {
  const { width, height } = sizeOf(bytes)
  const pixels = new Uint8ClampedArray(width * height * 4)
  decode(bytes, pixels, width, height)
  return { width, height, at: (x, y) => [...pixels.slice((y * width + x) * 4, (y * width + x) * 4 + 4)] }
}

test('a hash without waves has one colour, its average', () => {
  const { width, height, at } = drawn(hash({ light: 40 }))
  const [r, g, b] = averageColor(hash({ light: 40 })).match(/\d+/g).map(Number)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    const pixel = at(x, y)
    for (const [index, value] of [r, g, b].entries()) assert.ok(Math.abs(pixel[index] - value) <= 1)
    assert.equal(pixel[3], 255)
  }
})

test('a wave makes one side lighter than the other', () => {
  const across = drawn(hash({ lightScale: 31, across: 15 }))
  assert.ok(across.at(0, 3)[1] > across.at(across.width - 1, 3)[1] + 60)
  const down = drawn(hash({ lightScale: 31, down: 15 }))
  assert.ok(down.at(3, 0)[1] > down.at(3, down.height - 1)[1] + 60)
})

test('a hash is drawn with eight pixels on its longer side and the proportions of the picture', () => {
  assert.deepEqual(sizeOf(hash({ terms: 7 })), { width: 8, height: 8 })
  assert.deepEqual(sizeOf(hash({ terms: 5, landscape: true })), { width: 8, height: 6 })
  assert.deepEqual(sizeOf(hash({ terms: 5 })), { width: 6, height: 8 })
  assert.deepEqual(sizeOf(hash({ terms: 1, landscape: true })), { width: 8, height: 1 })
})

test('a hash with transparency is not drawable', () => {
  assert.ok(isDrawable(hash()))
  assert.ok(!isDrawable(hash({ alpha: true })))
})

/** Requests of the page: `{from, count, path, signal, answer(isKnown), fail()}`. */
let requests = []

beforeEach(() => {
  requests = []
  globalThis.fetch = (url, { signal } = {}) => {
    const query = new URL(url).searchParams
    const [from, count] = [Number(query.get('from')), Number(query.get('count'))]
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
      requests.push({
        from, count, path: new URL(url).pathname, signal,
        answer: async (isKnown = (_item) => true) => {
          const bytes = new Uint8Array(count * 25)
          for (let index = 0; index < count; index++) if (isKnown(from + index)) bytes.set(hash({ light: (from + index) % 64 }), index * 25)
          resolve({ ok: true, arrayBuffer: async () => bytes.buffer })
          await settled()
        },
        fail: async () => {
          reject(new Error('gone'))
          await settled()
        },
      })
    })
  }
})

const settled = () => new Promise((resolve) => setImmediate(resolve))

function placeholders(itemCount = 10_000) {
  const made = new Placeholders()
  made.begin({ id: 'g', itemCount })
  return made
}

test('hashes of visible items are requested first, then those of the next items, each only once', async () => {
  const made = placeholders()
  made.saw({ from: 640, to: 690 }, 1)
  assert.deepEqual(requests.map(({ from, count }) => [from, count]), [[640, 64], [704, 192]])
  assert.ok(requests[0].path.endsWith('/api/v1/galleries/g/placeholders'))
  const came = []
  made.arrived = (range) => came.push(range)
  for (const request of [...requests]) await request.answer()
  made.saw({ from: 641, to: 691 }, 1)
  assert.equal(requests.filter(({ from }) => from === 640).length, 1)
  assert.deepEqual(came[0], { from: 640, to: 704 })
  assert.equal(made.hash(650)[0] & 63, 650 % 64)
  assert.equal(made.hash(5), null)
})

test('fast movement requests only the hashes of the latest places, three at a time', async () => {
  const made = placeholders(1_000_000)
  for (let place = 0; place < 50; place++) made.want({ from: place * 6400, to: place * 6400 + 50 })
  assert.equal(requests.length, 3)
  while (requests.some(({ done }) => !done)) {
    const request = requests.find(({ done }) => !done)
    request.done = true
    await request.answer()
  }
  assert.ok(requests.length <= 10, `${requests.length}`)
  assert.ok(requests.some(({ from }) => from === 49 * 6400), 'the last place is among them')
})

test('a failed request for hashes is repeated when the items are wanted again', async () => {
  const made = placeholders()
  made.want({ from: 0, to: 10 })
  await requests[0].fail()
  made.want({ from: 0, to: 10 })
  assert.equal(requests.length, 2)
})

test('a hash that arrived with its picture is kept even if the server does not know the hash', async () => {
  const made = placeholders()
  made.learn(7, Buffer.from(hash({ light: 9 }).slice(0, 21)).toString('base64'))
  assert.equal(made.hash(7)[0] & 63, 9)
  assert.equal(made.hash(8), null)
  made.want({ from: 0, to: 10 })
  await requests[0].answer((item) => item === 8)
  assert.equal(made.hash(7)[0] & 63, 9)
  assert.equal(made.hash(8)[0] & 63, 8)
  made.learn(9, '!')
  made.learn(9, undefined)
  assert.equal(made.hash(9), null)
})

test('fill() fetches the hashes of all items outside the view, and stop() aborts the request', async () => {
  const made = placeholders(5_000)
  const filled = made.fill({ from: 2_500, to: 2_550 })
  while (requests.some(({ done }) => !done)) {
    const request = requests.find(({ done }) => !done)
    request.done = true
    await request.answer()
  }
  await filled
  made.want({ from: 2_500, to: 2_550 })
  assert.deepEqual(requests.at(-1).from, 2_496)
  await requests.at(-1).answer()
  for (let item = 0; item < 5_000; item++) assert.ok(made.hash(item), `${item}`)

  const other = placeholders(1_000_000)
  requests = []
  const filling = other.fill({ from: 0, to: 50 })
  await requests[0].answer()
  other.stop()
  await settled()
  await filling
  assert.ok(requests.at(-1).signal.aborted)
})

test('fill() fetches as many hashes as the cache holds, and no more', async () => {
  const made = placeholders(10_000_000)
  const filled = made.fill({ from: 5_000_000, to: 5_000_050 })
  while (requests.some(({ done }) => !done)) {
    const request = requests.find(({ done }) => !done)
    request.done = true
    await request.answer()
  }
  await filled
  const held = requests.reduce((sum, { count }) => sum + count, 0)
  assert.ok(held > 120_000 && held <= 131_072, `${held}`)
  assert.ok(made.hash(5_000_100) && made.hash(4_990_000))
})

test('move() renumbers hashes and drops those of removed pictures, and clear() drops all', async () => {
  const made = placeholders()
  made.want({ from: 0, to: 10 })
  await requests[0].answer()
  made.move((item) => (item < 5 ? item + 100 : null))
  made.begin({ id: 'h', itemCount: 9_000 })
  assert.equal(made.hash(103)[0] & 63, 3)
  assert.equal(made.hash(3), null)
  assert.equal(made.hash(106), null)
  made.clear()
  assert.equal(made.hash(103), null)
})

test('contrast grows with light and shade, and is zero for a picture with transparent parts', () => {
  const [plain, shaded, strong] = [hash(), hash({ across: 12, lightScale: 10 }), hash({ across: 15, lightScale: 31 })].map(contrastOf)
  assert.ok(plain < 0.05 && plain < shaded && shaded < strong && strong <= 1, `${plain} ${shaded} ${strong}`)
  assert.equal(contrastOf(hash({ across: 15, lightScale: 31, alpha: true })), 0)
})
