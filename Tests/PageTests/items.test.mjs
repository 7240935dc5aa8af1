import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Items } from '../../Public/js/galleries/items.js'

/** Responds to each request of items with titles that are their numbers. Records the first item of each request. */
function respond() {
  const requests = []
  globalThis.fetch = /** @type {any} */ (async (url) => {
    const from = Number(new URL(url).searchParams.get('from'))
    requests.push(from)
    const items = Array.from({ length: 200 }, (_, index) => ({ title: String(from + index) }))
    return new Response(JSON.stringify({ items }), { headers: { 'content-type': 'application/json' } })
  })
  return requests
}

test('a range of items is requested in pages, and each page once', async () => {
  const requests = respond()
  const items = new Items({ id: 'pictures', itemCount: 1000 })
  assert.deepEqual(await Promise.all([items.learn({ from: 150, to: 250 }), items.learn({ from: 0, to: 10 })]), [true, true])
  assert.equal(await items.learn({ from: 150, to: 250 }), false)
  assert.deepEqual(requests, [0, 200])
  assert.equal(items.name(199), '199')
  assert.equal(items.name(999), 'Picture 1,000')
})

test('the last twelve pages are cached', async () => {
  respond()
  const items = new Items({ id: 'pictures', itemCount: 10000 })
  for (let page = 0; page < 13; page++) await items.learn({ from: page * 200, to: page * 200 + 1 })
  assert.equal(items.get(0), undefined)
  assert.equal(items.get(200).title, '200')
})
