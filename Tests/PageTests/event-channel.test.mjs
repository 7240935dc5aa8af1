import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { EventChannel } from '../../Public/js/session/event-channel.js'

/** The parts of a browser that the channel uses: streams with events from the test, a page that can be hidden, and timers. */
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

test('the channel subscribes to its events and parses their data', () => {
  const { heard, made } = channel()
  assert.equal(streams[0].url, `${address}?only=hello,plan`)
  streams[0].says('hello', { id: 's' })
  streams[0].says('plan')
  assert.deepEqual(heard, [['hello', { id: 's' }], ['plan', {}]])
  assert.ok(made.isOpen)
})

test('a broken stream is reopened after its last event', async () => {
  channel()
  streams[0].says('plan', {}, '17')
  streams[0].breaks()
  assert.equal(streams[0].readyState, Stream.CLOSED, 'the browser does not reopen the stream')
  timers[0].run()
  await settled()
  assert.equal(streams[1].url, `${address}?only=hello,plan&lastEventID=17`)
})

test('the wait grows with each failed try, up to two seconds', async () => {
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

test('hurry() reopens a broken stream, unless the last try was just made or the page is hidden', async (context) => {
  context.mock.method(performance, 'now', () => now)
  let now = 1000
  const { made } = channel()
  made.hurry()
  assert.equal(streams.length, 1, 'the stream is open')
  now = 1200
  streams[0].breaks()
  made.hurry()
  assert.equal(streams.length, 1, 'the stream was opened a moment ago')
  now = 1251
  made.hurry()
  await settled()
  assert.equal(streams.length, 2)
  page.hidden = true
  streams[1].breaks()
  now = 2000
  made.hurry()
  await settled()
  assert.equal(streams.length, 2, 'the page is hidden')
})

test('a second call of retry() does not postpone the pending try', () => {
  const { made } = channel()
  streams[0].breaks()
  made.retry()
  made.retry()
  assert.equal(timers.length, 1)
})

test('events of a closed or replaced stream are ignored', () => {
  const { made, heard } = channel()
  made.open('http://h/other/events')
  streams[0].says('plan', {})
  made.close()
  streams[1].says('plan', {})
  assert.deepEqual(heard, [])
  assert.equal(made.isOpen, false)
})

test('a channel that opens another address drops the last event id', () => {
  const { made } = channel()
  streams[0].says('plan', {}, '17')
  made.open('http://h/other/events')
  assert.equal(streams[1].url, 'http://h/other/events?only=hello,plan')
})

test('a refusal closes the channel if there is a refused() handler, and otherwise counts as a failure', () => {
  let refusals = 0
  channel({ refused: () => (refusals += 1) })
  streams[0].breaks(true)
  assert.deepEqual([refusals, timers.length], [1, 0])
  channel()
  streams[1].breaks(true)
  assert.equal(timers.length, 1)
})

test('a lost() handler that closes the channel prevents the try, and one that retries adds no second try', () => {
  const { made } = channel({ lost: () => made.close() })
  streams[0].breaks()
  assert.equal(timers.length, 0)
  const other = channel({ lost: () => other.made.retry() })
  streams[1].breaks()
  assert.equal(timers.length, 1)
})

test('a stream is reopened only if ready() allows it and the channel was not closed meanwhile', async () => {
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

test('a hidden page closes its stream and resumes it after the last event when the page is visible', () => {
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

test('a broken stream is reopened as soon as the page is visible or the network is back', async () => {
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
