// The first and the last picture in the viewer: the page requests nothing beyond the ends of the gallery.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Items } from '../../Public/js/galleries/items.js'
import { Hints } from '../../Public/js/scroll/hints.js'

test('the viewer hints at the next picture, and at none beyond the ends of the gallery', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const hinted = []
  const place = { addEventListener() {} }
  const hints = new Hints({ scroller: null, scrubber: null, surface: place, root: place, send: (hint) => hinted.push(hint.item) })
  for (const [item, way] of [[0, -1], [39, 1], [39, -1], [0, 1]]) {
    hints.viewing(item, way, 40)
    context.mock.timers.tick(1000)
  }
  assert.deepEqual(hinted, [38, 1])
})

test('requests for pages of items stop at the last item', async (context) => {
  const asked = []
  context.mock.method(globalThis, 'fetch', async (url) => {
    asked.push(new URL(url).search)
    return new Response('{"items":[]}')
  })
  const items = new Items({ id: 'demo', itemCount: 400 })
  await items.learn({ from: 398, to: 401 })
  await items.learn({ from: 399, to: 402 })
  assert.deepEqual(asked, ['?from=200&count=200'])
})
