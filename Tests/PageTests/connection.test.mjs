import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { get } from '../../Public/js/session/api.js'
import { Connection } from '../../Public/js/session/connection.js'

// A server that the test can take away or freeze, the streams that a browser would open to it, and a clock.

let now, timers, streams, requests, server
const settled = () => new Promise(setImmediate)

class Stream extends EventTarget {
  static CLOSED = 2
  readyState = 0
  constructor() {
    super()
    streams.push(this)
    queueMicrotask(() => {
      if (server === 'away') this.dispatchEvent(new Event('error'))
      if (server === 'there') this.says('hello')
    })
  }
  says(name) {
    if (this.readyState !== 2) this.dispatchEvent(new MessageEvent(name, { data: '{}' }))
  }
  close() {
    this.readyState = 2
  }
}

/** The server's answers; each request is written down as `POST sessions`, with the moment. */
async function answer(url, { method, signal }) {
  const path = String(url).split('/api/v1/')[1]
  requests.push({ at: now, what: `${method} ${path.replace(/sessions\/s\d+/, 'sessions/s')}` })
  if (server === 'away') throw new TypeError('nobody listens')
  if (server === 'frozen') return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  if (server === 'without') return new Response('{"title":"no such gallery"}', { status: path === 'sessions' ? 422 : 404 })
  return new Response(JSON.stringify({ id: `s${requests.length}` }), { status: path === 'sessions' ? 201 : 200 })
}

beforeEach(() => {
  ;[now, timers, streams, requests, server] = [10_000, [], [], [], 'there']
  globalThis.document = { hidden: false, addEventListener() {} }
  globalThis.addEventListener = () => {}
  globalThis.EventSource = Stream
  globalThis.fetch = answer
  globalThis.setTimeout = (run, wait) => timers.push({ run, at: now + wait })
  globalThis.clearTimeout = (id) => id && (timers[id - 1].run = null)
  Object.defineProperty(globalThis, 'navigator', { value: { sendBeacon: () => true }, configurable: true })
  performance.now = () => now
  Math.random = () => 0.999
})

/** Lets time pass. */
async function pass(milliseconds) {
  const end = now + milliseconds
  for (;;) {
    await settled()
    const next = timers.filter(({ run, at }) => run && at <= end).sort((a, b) => a.at - b.at)[0]
    if (!next) break
    now = Math.max(now, next.at)
    const { run } = next
    next.run = null
    run()
  }
  now = end
}

async function connected(isAwaiting = () => false) {
  const described = []
  const connection = new Connection({
    describe: async (isAgain) => {
      described.push(isAgain)
      return isAgain || server !== 'without' ? {} : get('api/v1/galleries/g')
    },
    state() {}, opened() {}, reopened() {}, event() {}, isAwaiting,
  })
  connection.open()
  await pass(5000)
  assert.ok(connection.live)
  requests = []
  return { connection, described }
}

/** A page that scrolls for a while: thirty posts a second, whatever becomes of them. */
async function scroll(connection, milliseconds, { isMoved = false } = {}) {
  for (let past = 0; past < milliseconds; past += 33) {
    if (isMoved) connection.moved()
    connection.send('viewport', {})
    await pass(33)
  }
}

const tries = () => requests.filter(({ what }) => what === 'GET sessions/s').map(({ at }) => at)
const gaps = (times) => times.slice(1).map((time, index) => time - times[index])

test('a page that posts thirty times a second without a server tries as often as one that does not', async () => {
  const { connection } = await connected()
  const lost = now
  server = 'away'
  await scroll(connection, 8000)
  assert.equal(connection.state, 'reconnecting')
  const [first, ...others] = gaps([lost, ...tries()])
  assert.ok(first <= 50, `${first}`)
  assert.deepEqual(others.map(Math.round), [250, 1000, 2000, 2000, 2000])
  assert.equal(requests.filter(({ what }) => what.endsWith('/viewport')).length, 1, 'the one that found it out')
})

test('a person who moves does not wait for the next try, and finds the server there soon', async () => {
  const { connection } = await connected()
  server = 'away'
  await scroll(connection, 3000, { isMoved: true })
  const between = gaps(tries())
  assert.ok(between.length > 8 && between.every((gap) => gap > 249), `${between}`)
  server = 'there'
  await scroll(connection, 330, { isMoved: true })
  assert.ok(connection.live)
})

test('a server that freezes is left after two seconds, for a session that is asked for by itself', async () => {
  const { connection, described } = await connected()
  server = 'frozen'
  await scroll(connection, 1900)
  assert.equal(connection.state, 'live')
  await pass(200)
  assert.equal(connection.state, 'reconnecting')
  assert.deepEqual(requests.slice(-1).map(({ what }) => what), ['POST sessions'])
  assert.deepEqual(described, [false, true])
  server = 'there'
  await pass(3500) // what was asked of the frozen one has no answer
  assert.ok(connection.live)
})

test('one that freezes while pictures are awaited is left as well, though nobody moves', async () => {
  let isAwaiting = false
  const { connection } = await connected(() => isAwaiting)
  isAwaiting = true
  connection.send('viewport', {})
  await pass(1)
  server = 'frozen'
  await pass(2800)
  assert.equal(connection.state, 'reconnecting')
})

test('one that is slow is not left while it speaks', async () => {
  const { connection } = await connected()
  server = 'frozen'
  connection.send('viewport', {})
  for (let past = 0; past < 9000; past += 500) {
    streams.at(-1).says('thumbnail')
    await pass(500)
  }
  assert.ok(connection.live)
})

test('a server that does not know the gallery any more is asked which there is', async () => {
  const { connection, described } = await connected()
  server = 'without'
  streams.at(-1).says('bye')
  await pass(100)
  assert.deepEqual(described, [false, true, false])
  assert.equal(connection.state, 'gone')
})
