import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PrefetchState } from '../../Public/js/session/prefetch-state.js'
import { SessionUpdates } from '../../Public/js/session/session-updates.js'
import { FailureWatch } from '../../Public/js/thumbnails/failure-watch.js'
import { ThumbnailCache } from '../../Public/js/thumbnails/thumbnail-cache.js'

const picture = (item) => ({ item, width: 4, height: 3, mediaType: 'image/jpeg', data: 'AAAA' })

test('a full cache evicts the oldest thumbnail, and receiving a thumbnail again renews it', () => {
  const cache = new ThumbnailCache(3)
  for (const item of [1, 2, 3, 1, 4]) cache.receive(picture(item))
  assert.deepEqual([1, 2, 3, 4].map((item) => cache.has(item)), [true, false, true, true])
  assert.equal(cache.get(4).src, 'data:image/jpeg;base64,AAAA')
})

test('an item is lacking until it arrives or fails, and again after a retry', () => {
  const cache = new ThumbnailCache()
  cache.receive(picture(0))
  cache.fail({ item: 1, reason: 'gone', retryable: true })
  assert.deepEqual(cache.lacking({ from: 0, to: 4 }), [2, 3])
  cache.retry(1)
  assert.deepEqual(cache.lacking({ from: 0, to: 4 }), [1, 2, 3])
  assert.equal(cache.count({ from: 0, to: 4 }), 1)
})

test('a preview is shown until the picture arrives, does not count as one, and never replaces one', () => {
  const cache = new ThumbnailCache(3)
  const range = { from: 0, to: 2 }
  cache.receive({ ...picture(0), tier: 'preview', data: 'BBBB' })
  assert.equal(cache.get(0).src, 'data:image/jpeg;base64,BBBB')
  assert.equal(cache.get(0).isPreview, true)
  assert.deepEqual([cache.has(0), cache.count(range), cache.size, cache.lacking(range)], [false, 0, 0, [0, 1]])
  cache.receive({ ...picture(0), tier: 'small' })
  cache.receive({ ...picture(0), tier: 'preview', data: 'BBBB' })
  assert.equal(cache.get(0).src, 'data:image/jpeg;base64,AAAA')
  assert.equal(cache.get(0).isPreview, false)
  assert.equal(cache.has(0), true)
  // Previews never evict a picture.
  for (let item = 10; item < 20; item++) cache.receive({ ...picture(item), tier: 'preview' })
  assert.deepEqual([0, 16, 17, 18, 19].map((item) => Boolean(cache.get(item))), [true, false, true, true, true])
  cache.fail({ item: 19, reason: 'gone', retryable: false })
  cache.forgetPreview(18)
  assert.deepEqual([17, 18, 19].map((item) => Boolean(cache.get(item))), [true, false, false])
})

test('move() renumbers thumbnails and drops those of removed items', () => {
  const cache = new ThumbnailCache()
  for (const item of [5, 6, 7]) cache.receive(picture(item))
  cache.move((item) => (item === 6 ? null : item + 10))
  assert.deepEqual([5, 6, 7, 15, 16, 17].filter((item) => cache.has(item)), [15, 17])
})

test('a prefetch is pending until it arrives or is cancelled, and late plans are ignored', () => {
  const [state, cache] = [new PrefetchState(), new ThumbnailCache()]
  const plan = (seq, prefetch, cancel = []) => state.take({ seq, prefetch, cancel }, cache)
  plan(1, [10, 11, 12], [9])
  assert.equal(state.cancelled, 0)
  state.saw({ from: 0, to: 5 })
  plan(2, [13], [12])
  plan(1, [99]) // late
  assert.deepEqual([...state.asked], [10, 11, 13])
  assert.equal(state.cancelled, 1)
  plan(2, [13], [12]) // the same plan, as an event
  assert.equal(state.cancelled, 1)
  state.arrived(10, { from: 0, to: 5 })
  assert.equal(state.prefetching({ from: 11, to: 12 }), 1)
  assert.deepEqual([state.ahead, state.unseenShare], [1, 1])
  state.saw({ from: 8, to: 12 })
  assert.equal(state.unseenShare, 0)
})

test('changes are sent one at a time with the latest values, and hold back scroll positions', async () => {
  const log = []
  const sender = { held: false, hold(held) { this.held = held; log.push(held ? 'hold' : 'release') } }
  let answer
  const updates = new SessionUpdates(sender, {
    send: (changes) => (log.push(changes), new Promise((resolve) => (answer = resolve))),
    settle: async () => log.push('settle'),
    sent: () => log.push('sent'),
  })
  const done = updates.add({ layout: 1 })
  updates.add({ viewport: 1 })
  updates.add({ viewport: 2, layout: 2 })
  answer({})
  await new Promise(setImmediate)
  answer({})
  await done
  assert.deepEqual(log, ['hold', { layout: 1 }, { viewport: 2, layout: 2 }, 'settle', 'release', 'sent'])
})

test('changes that the server did not apply are sent again below later ones, unless forgotten', async () => {
  const sent = []
  let isThere = false
  const sender = { held: false, hold: (held) => (sender.held = held) }
  const updates = new SessionUpdates(sender, { send: async (changes) => sent.push(changes) && isThere, settle: async () => {}, sent() {} })
  await updates.add({ layout: 1, viewport: 1 })
  isThere = true
  await updates.add({ viewport: 2 })
  await updates.again()
  assert.deepEqual(sent, [{ layout: 1, viewport: 1 }, { layout: 1, viewport: 2 }])
  isThere = false
  await updates.add({ layout: 3 })
  updates.forget()
  updates.again()
  assert.equal(sent.length, 3)
})

/** Runs the callbacks of settled promises. */
const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await null
}

test('slow pictures are reported only while the server is connected', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const said = []
  let isConnected = true
  const watch = new FailureWatch({
    thumbnails: new ThumbnailCache(), visible: () => ({ from: 0, to: 3 }), again() {}, isConnected: () => isConnected,
    notify: (trouble) => said.push(trouble?.kind ?? null), inquire: async () => undefined,
  })
  const pass = async (time) => {
    context.mock.timers.tick(time)
    await settled()
  }
  const change = (now) => {
    isConnected = now
    watch.changed()
  }
  watch.changed()
  await pass(400)
  change(false)
  for (let time = 0; time < 10_000; time += 500) await pass(500)
  assert.deepEqual(said, [], 'the server was disconnected')
  change(true)
  await pass(200)
  for (const time of [500, 2499]) await pass(time)
  assert.deepEqual(said, [])
  await pass(1)
  assert.deepEqual(said, ['slow'])
  change(false)
  await pass(200)
  assert.deepEqual(said, ['slow', null])
})

test('a paused host is reported with its error after half a second, until pictures arrive', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const said = []
  const cache = new ThumbnailCache()
  const watch = new FailureWatch({
    thumbnails: cache, visible: () => ({ from: 0, to: 3 }), again() {}, isConnected: () => true,
    notify: (trouble) => said.push(trouble), inquire: async () => ({ reason: 'host a.example not found', retryAfter: 2 }),
  })
  watch.changed()
  for (const time of [200, 500]) {
    context.mock.timers.tick(time)
    await settled()
  }
  const trouble = { kind: 'failing', detail: 'Host a.example not found. Retrying automatically.', canRetry: true }
  assert.deepEqual(said, [trouble])
  cache.receive(picture(0))
  watch.arrived()
  for (const time of [200, 500]) {
    context.mock.timers.tick(time)
    await settled()
  }
  assert.deepEqual(said, [trouble, null])
})
