import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { get } from '../../Public/js/session/api.js'
import { Connection } from '../../Public/js/session/connection.js'

// A simulated server that the test can shut down or freeze, the event streams that the page opens to the server, and a clock.

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

/** Responds as the server does. Records each request, such as `POST sessions`, with its time. */
async function answer(url, { method, signal }) {
  const path = String(url).split('/api/v1/')[1]
  requests.push({ at: now, what: `${method} ${path.replace(/sessions\/s\d+/, 'sessions/s')}` })
  if (server === 'away') throw new TypeError('connection refused')
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

/** Advances the clock and runs the timers that are due. */
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

/** Scrolls for a while: posts thirty times a second, whether or not responses arrive. */
async function scroll(connection, milliseconds, { isMoved = false } = {}) {
  for (let past = 0; past < milliseconds; past += 33) {
    if (isMoved) connection.moved()
    connection.send('viewport', {})
    await pass(33)
  }
}

const tries = () => requests.filter(({ what }) => what === 'GET sessions/s').map(({ at }) => at)
const gaps = (times) => times.slice(1).map((time, index) => time - times[index])

test('a page that keeps posting retries a lost server at the usual intervals, and posts only once', async () => {
  const { connection } = await connected()
  const lost = now
  server = 'away'
  await scroll(connection, 8000)
  assert.equal(connection.state, 'reconnecting')
  const [first, ...others] = gaps([lost, ...tries()])
  assert.ok(first <= 50, `${first}`)
  assert.deepEqual(others.map(Math.round), [250, 1000, 2000, 2000, 2000])
  assert.equal(requests.filter(({ what }) => what.endsWith('/viewport')).length, 1, 'only the post that failed')
})

test('scrolling retries a lost connection at most every 250 ms, and reconnects when the server is back', async () => {
  const { connection } = await connected()
  server = 'away'
  await scroll(connection, 3000, { isMoved: true })
  const between = gaps(tries())
  assert.ok(between.length > 8 && between.every((gap) => gap > 249), `${between}`)
  server = 'there'
  await scroll(connection, 330, { isMoved: true })
  assert.ok(connection.live)
})

test('a page gives up on a frozen server after two seconds and requests a new session', async () => {
  const { connection, described } = await connected()
  server = 'frozen'
  await scroll(connection, 1900)
  assert.equal(connection.state, 'live')
  await pass(200)
  assert.equal(connection.state, 'reconnecting')
  assert.deepEqual(requests.slice(-1).map(({ what }) => what), ['POST sessions'])
  assert.deepEqual(described, [false, true])
  server = 'there'
  await pass(3500) // the request to the frozen server has to time out first
  assert.ok(connection.live)
})

test('a page gives up on a frozen server while pictures are pending, even if nobody scrolls', async () => {
  let isAwaiting = false
  const { connection } = await connected(() => isAwaiting)
  isAwaiting = true
  connection.send('viewport', {})
  await pass(1)
  server = 'frozen'
  await pass(2800)
  assert.equal(connection.state, 'reconnecting')
})

test('a page stays connected to a slow server while events arrive', async () => {
  const { connection } = await connected()
  server = 'frozen'
  connection.send('viewport', {})
  for (let past = 0; past < 9000; past += 500) {
    streams.at(-1).says('thumbnail')
    await pass(500)
  }
  assert.ok(connection.live)
})

test('a page looks up which gallery to show if the server no longer has the current one', async () => {
  const { connection, described } = await connected()
  server = 'without'
  streams.at(-1).says('bye')
  await pass(100)
  assert.deepEqual(described, [false, true, false])
  assert.equal(connection.state, 'gone')
})
