import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResponseWatch } from '../../Public/js/session/response-watch.js'

/** Looks whenever that is due, from now until something is wrong; returns what, and when. Nothing else happens meanwhile. */
function found(watch, { isListening = true, isAwaited = false, isHidden = false } = {}) {
  for (let looks = 0; looks < 100; looks++) {
    const at = watch.due(isListening, isAwaited)
    if (at === Infinity) break
    const verdict = watch.check(at, { isListening, isAwaited, isHidden })
    if (verdict) return [at, verdict]
  }
  return null
}

test('a server is lost when a request has no answer for two seconds, and nothing else is heard', () => {
  const watch = new ResponseWatch()
  watch.received(0)
  watch.sent(100)
  watch.received(130) // what was on its way
  watch.sent(500)
  assert.deepEqual(found(watch), [2130, 'lost'])
})

test('it is not while the stream goes on, but for ten seconds at most', () => {
  const watch = new ResponseWatch()
  watch.sent(0)
  for (let now = 0; now <= 9500; now += 500) {
    watch.received(now)
    assert.equal(watch.check(now, { isListening: true, isAwaited: true, isHidden: false }), null, `${now}`)
  }
  assert.deepEqual(found(watch), [10_000, 'lost'])
})

test('a stream that is to bring something and is silent has the server asked, soon', () => {
  const watch = new ResponseWatch()
  watch.received(1000)
  assert.deepEqual(found(watch, { isAwaited: true }), [1750, 'probe'])
  const question = watch.sent(1750)
  watch.ended(question, 1760, true)
  assert.deepEqual(found(watch, { isAwaited: true }), [2510, 'probe'])
  watch.sent(2510)
  assert.deepEqual(found(watch, { isAwaited: true }), [4510, 'lost'])
})

test('where nothing is awaited it is asked after longer than the server is ever silent', () => {
  const watch = new ResponseWatch()
  watch.received(0)
  assert.deepEqual(found(watch), [40_000, 'probe'])
  assert.equal(found(watch, { isListening: false }), null)
})

test('what may take its time has the server asked meanwhile', () => {
  const watch = new ResponseWatch()
  watch.received(0)
  watch.sent(0, Infinity)
  assert.deepEqual(found(watch), [750, 'probe'])
  watch.ended(watch.sent(750), 755, true)
  assert.deepEqual(found(watch), [1505, 'probe'])
})

test('a stream that does not bring what was answered is dead, while the server is not', () => {
  const watch = new ResponseWatch()
  watch.received(0)
  const verdicts = []
  for (let now = 0; now <= 9000; now += 250) {
    watch.ended(watch.sent(now), now, true)
    watch.announced(now)
    watch.due(true, true)
    verdicts.push([now, watch.check(now, { isListening: true, isAwaited: true, isHidden: false })])
  }
  assert.deepEqual(verdicts.find(([, verdict]) => verdict), [8000, 'reopen'])
})

test('a timer that comes late, or to a page that nobody looks at, says nothing: all is waited for anew', () => {
  const watch = new ResponseWatch()
  watch.received(0)
  watch.sent(0)
  assert.equal(watch.due(true, true), 2000)
  assert.equal(watch.check(2600, { isListening: true, isAwaited: true, isHidden: false }), null)
  assert.equal(watch.due(true, true), 4600)
  assert.equal(watch.check(4600, { isListening: true, isAwaited: true, isHidden: true }), null)
  assert.deepEqual(found(watch), [6600, 'lost'])
})

test('each further time in vain makes it more patient, and a prompt answer as it was', () => {
  const watch = new ResponseWatch()
  const limits = []
  for (let round = 0; round < 6; round++) {
    watch.reset()
    watch.sent(0)
    limits.push(found(watch, { isListening: false })[0])
  }
  assert.deepEqual(limits, [2000, 2000, 4000, 8000, 16_000, 16_000])
  watch.reset()
  watch.ended(watch.sent(0), 900, true)
  watch.sent(1000)
  assert.deepEqual(found(watch, { isListening: false }), [3000, 'lost'])
})
