import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { EventChannel } from '../../Public/js/session/event-channel.js'

/** The part of a browser that the channel uses: streams that the test speaks for, a page that can be hidden, and a clock. */
class Stream {
  static CLOSED = 2
  readyState = 0
  listeners = new Map()
  constructor(url) {
    this.url = url
    streams.push(this)
  }
  addEventListener(type, listener) {
    this.listeners.set(type, listener)
  }
  close() {
    this.readyState = Stream.CLOSED
  }
  says(type, data, lastEventId = '') {
    this.listeners.get(type)({ data: data && JSON.stringify(data), lastEventId })
  }
  breaks(isRefused = false) {
    this.readyState = isRefused ? Stream.CLOSED : 0
    this.listeners.get('error')({})
  }
}

let streams, timers, listeners
const page = { hidden: false, addEventListener: (type, listener) => (listeners[type] ??= []).push(listener) }
const tell = (type, event = {}) => listeners[type]?.forEach((listener) => listener(event))
const settled = () => new Promise(setImmediate)
const address = 'http://h/api/v1/sessions/s/events'

beforeEach(() => {
  ;[streams, timers, listeners] = [[], [], {}]
  page.hidden = false
  globalThis.document = page
  globalThis.addEventListener = page.addEventListener
  globalThis.EventSource = Stream
  globalThis.setTimeout = (run, wait) => timers.push({ run, wait })
  globalThis.clearTimeout = (id) => id && delete timers[id - 1]?.run
})

function channel(more = {}) {
  const heard = []
  const made = new EventChannel(['hello', 'plan'], { received: (name, data) => heard.push([name, data]), ...more })
  made.open(address)
  return { made, heard }
}

test('it asks for the events it listens to, and hears them as values', () => {
  const { heard, made } = channel()
  assert.equal(streams[0].url, `${address}?only=hello,plan`)
  streams[0].says('hello', { id: 's' })
  streams[0].says('plan')
  assert.deepEqual(heard, [['hello', { id: 's' }], ['plan', {}]])
  assert.ok(made.isOpen)
})

test('a stream that breaks is opened again after the last event heard', async () => {
  channel()
  streams[0].says('plan', {}, '17')
  streams[0].breaks()
  assert.equal(streams[0].readyState, Stream.CLOSED, 'not left to the browser')
  timers[0].run()
  await settled()
  assert.equal(streams[1].url, `${address}?only=hello,plan&lastEventID=17`)
})

test('each try that fails is followed by a longer wait, up to two seconds', async () => {
  channel()
  const waits = []
  for (let round = 0; round < 6; round++) {
    streams.at(-1).breaks()
    waits.push(timers.at(-1).wait)
    timers.at(-1).run()
    await settled()
  }
  ;[50, 250, 1000, 2000, 2000, 2000].forEach((most, round) => {
    const least = round ? 0.75 * most : 0
    assert.ok(waits[round] >= least && waits[round] <= most, `${round}: ${waits[round]}`)
  })
})

test('a stream that is waited for is opened at once, unless that was just tried', async (context) => {
  context.mock.method(performance, 'now', () => now)
  let now = 1000
  const { made } = channel()
  made.hurry()
  assert.equal(streams.length, 1, 'it is open')
  now = 1200
  streams[0].breaks()
  made.hurry()
  assert.equal(streams.length, 1, 'it was just opened')
  now = 1251
  made.hurry()
  await settled()
  assert.equal(streams.length, 2)
  page.hidden = true
  streams[1].breaks()
  now = 2000
  made.hurry()
  await settled()
  assert.equal(streams.length, 2, 'nobody looks')
})

test('who retries while the next try is due already does not put it off', () => {
  const { made } = channel()
  streams[0].breaks()
  made.retry()
  made.retry()
  assert.equal(timers.length, 1)
})

test('what a closed or replaced stream says is not heard', () => {
  const { made, heard } = channel()
  made.open('http://h/other/events')
  streams[0].says('plan', {})
  made.close()
  streams[1].says('plan', {})
  assert.deepEqual(heard, [])
  assert.equal(made.isOpen, false)
})

test('another address begins anew, without the last event of the one before', () => {
  const { made } = channel()
  streams[0].says('plan', {}, '17')
  made.open('http://h/other/events')
  assert.equal(streams[1].url, 'http://h/other/events?only=hello,plan')
})

test('a refusal ends it where somebody asks to be told, and counts as a break where nobody does', () => {
  let refusals = 0
  channel({ refused: () => (refusals += 1) })
  streams[0].breaks(true)
  assert.deepEqual([refusals, timers.length], [1, 0])
  channel()
  streams[1].breaks(true)
  assert.equal(timers.length, 1)
})

test('whoever closes it when it breaks is not waited for, and one who retries does so once', () => {
  const { made } = channel({ lost: () => made.close() })
  streams[0].breaks()
  assert.equal(timers.length, 0)
  const other = channel({ lost: () => other.made.retry() })
  streams[1].breaks()
  assert.equal(timers.length, 1)
})

test('it is opened again only when it is worth it, and not when it was closed meanwhile', async () => {
  let isReady = false
  const { made } = channel({ ready: async () => isReady })
  streams[0].breaks()
  timers[0].run()
  await settled()
  assert.equal(streams.length, 1)
  isReady = true
  made.retry()
  timers[1].run()
  made.close()
  await settled()
  assert.equal(streams.length, 1)
})

test('a hidden page gives its stream back, and takes it up where it was when it is shown', () => {
  let woken = 0
  const { made } = channel({ woken: () => (woken += 1) })
  streams[0].says('plan', {}, '5')
  page.hidden = true
  tell('visibilitychange')
  assert.equal(made.isOpen, false)
  page.hidden = false
  tell('visibilitychange')
  assert.equal(streams[1].url, `${address}?only=hello,plan&lastEventID=5`)
  assert.equal(woken, 1)
  tell('visibilitychange')
  assert.equal(streams.length, 2)
})

test('a page that is hidden, or has no network, tries again as soon as that is over', async () => {
  channel()
  page.hidden = true
  streams[0].breaks()
  assert.equal(timers.length, 0)
  page.hidden = false
  tell('visibilitychange')
  await settled()
  assert.equal(streams.length, 2)
  streams[1].breaks()
  tell('online')
  await settled()
  assert.equal(streams.length, 3)
})
