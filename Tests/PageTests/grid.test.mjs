// Time that the grid spends in one frame, in a browser that needs two milliseconds to show a picture.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ThumbnailCache } from '../../Public/js/thumbnails/thumbnail-cache.js'

const MS_PER_PICTURE = 2
let now = 0
let frames = []

/** A stand-in for an element, with the members that rows, cells and images use. */
class Element {
  dataset = {}
  style = {}
  #attributes = new Map()
  addEventListener() {}
  append() {}
  insertBefore() {}
  setAttribute(name, value) {
    this.#attributes.set(name, value)
  }
  hasAttribute(name) {
    return this.#attributes.has(name)
  }
  set src(address) {
    now += MS_PER_PICTURE
    this.setAttribute('src', address)
  }
}

test('a fast-moving grid shows pictures for eight milliseconds per frame, and the rest in the next', async (context) => {
  context.mock.method(performance, 'now', () => now)
  Object.assign(globalThis, {
    document: { createElement: () => new Element() },
    requestAnimationFrame: (run) => frames.push(run),
  })
  const { Grid } = await import('../../Public/js/grid/grid.js')
  const count = 7
  const thumbnails = new ThumbnailCache()
  const sources = { thumbnails, describe: String, hash: () => null, color: () => '', recycling() {} }
  const grid = new Grid(new Element(), { top: 0, height: 500, origin: 0 }, sources)
  const row = { key: 0, index: 0, y: 0, height: 100, from: 0, count, cells: new Float64Array(4 * count) }
  grid.setLayout({ pitch: 100, columns: count, rowCount: 1, rows: () => [row] })
  grid.render(100)
  for (let item = 0; item < count; item++) {
    thumbnails.receive({ item, width: 1, height: 1, mediaType: 'image/jpeg', tier: 'full', data: '', id: item, version: 1 })
    grid.arrived(item)
  }
  const shown = () => [...grid.cells()].filter((cell) => cell.image.hasAttribute('src')).length
  const frame = async () => {
    frames.splice(0).forEach((run) => run())
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(shown(), 0)
  await frame()
  assert.equal(shown(), 5)
  await frame()
  assert.equal(shown(), count)
})
