import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { JoinedStreams } from '../../Public/js/session/joined-streams.js'

/** A stream that the page opens. The test sends events on the stream with `says`. */
class Stream extends EventTarget {
  readyState = 0
  constructor(url) {
    super()
    this.url = url
    streams.push(this)
  }
  close() {
    this.readyState = 2
  }
  says(name, lastEventId, data) {
    this.dispatchEvent(new MessageEvent(name, { lastEventId, data }))
  }
}

let streams
const base = 'http://h/api/v1/sessions'
const settled = () => new Promise(setImmediate)

beforeEach(() => {
  streams = []
  globalThis.EventSource = Stream
})

/** Listens to a session. Returns the source and the received events, each as `name data`. */
function listen(joined, session, more = '') {
  const source = joined.source(`${base}/${session}/events?only=hello,plan${more}`)
  const heard = []
  for (const name of ['hello', 'plan', 'error']) source.addEventListener(name, ({ data }) => heard.push(data === undefined ? name : `${name} ${data}`))
  return { source, heard }
}

test('sessions that start together share one stream, and each receives only its own events', async () => {
  const joined = new JoinedStreams(base)
  const [a, b] = [listen(joined, 'a'), listen(joined, 'b')]
  await settled()
  assert.deepEqual(streams.map(({ url }) => url), [`${base}/a/events?with=b&only=hello,plan`])
  streams[0].says('hello', 'b.1', 'B')
  streams[0].says('plan', 'a.7', 'A')
  streams[0].says('plan', 'c.7', 'nobody')
  assert.deepEqual([a.heard, b.heard], [['plan A'], ['hello B']])
})

test('a session that joins or leaves opens another stream, which resumes after the last events', async () => {
  const joined = new JoinedStreams(base)
  const a = listen(joined, 'a', '&lastEventID=3')
  await settled()
  streams[0].says('plan', 'a.9', 'A')
  const b = listen(joined, 'b')
  await settled()
  assert.equal(streams[0].readyState, 2)
  assert.equal(streams[1].url, `${base}/a/events?with=b&only=hello,plan&lastEventID=a.9`)
  a.source.close()
  await settled()
  assert.equal(streams[2].url, `${base}/b/events?with=&only=hello,plan`)
  b.source.close()
  await settled()
  assert.deepEqual(streams.map(({ readyState }) => readyState), [2, 2, 2])
})

test('a broken stream reports an error to each session, and a session can listen again', async () => {
  const joined = new JoinedStreams(base)
  const all = [listen(joined, 'a'), listen(joined, 'b')]
  await settled()
  streams[0].dispatchEvent(new Event('error'))
  assert.deepEqual(all.map(({ heard }) => heard), [['error'], ['error']])
  listen(joined, 'b')
  await settled()
  assert.equal(streams.length, 2)
  assert.equal(streams[1].url, `${base}/b/events?with=&only=hello,plan`)
})

test('sessions are split among several streams if one stream cannot carry them all', async () => {
  const joined = new JoinedStreams(base)
  for (let number = 0; number < 40; number++) listen(joined, `s${number}`)
  await settled()
  assert.deepEqual(streams.map(({ url }) => new URL(url).searchParams.get('with').split(',').length), [31, 7])
})
