import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResponseWatch } from '../../Public/js/session/response-watch.js'

/** Runs each check when it is due, until one reports a problem. Returns its time and verdict, or null. Nothing arrives meanwhile. */
function found(watch, { isListening = true, isAwaited = false, isHidden = false } = {}) {
  for (let checks = 0; checks < 100; checks++) {
    const at = watch.due(isListening, isAwaited)
    if (at === Infinity) break
    const verdict = watch.check(at, { isListening, isAwaited, isHidden })
    if (verdict) return [at, verdict]
  }
  return null
}

test('a server is lost if a request is pending and nothing arrives for two seconds', () => {
  const watch = new ResponseWatch()
  watch.received(0)
  watch.sent(100)
  watch.received(130) // was in flight
  watch.sent(500)
  assert.deepEqual(found(watch), [2130, 'lost'])
})

test('arriving events keep a server with a pending request alive for at most ten seconds', () => {
  const watch = new ResponseWatch()
  watch.sent(0)
  for (let now = 0; now <= 9500; now += 500) {
    watch.received(now)
    assert.equal(watch.check(now, { isListening: true, isAwaited: true, isHidden: false }), null, `${now}`)
  }
  assert.deepEqual(found(watch), [10_000, 'lost'])
})

test('the server is probed after 750 ms of silence while pictures are awaited', () => {
  const watch = new ResponseWatch()
  watch.received(1000)
  assert.deepEqual(found(watch, { isAwaited: true }), [1750, 'probe'])
  const question = watch.sent(1750)
  watch.ended(question, 1760, true)
  assert.deepEqual(found(watch, { isAwaited: true }), [2510, 'probe'])
  watch.sent(2510)
  assert.deepEqual(found(watch, { isAwaited: true }), [4510, 'lost'])
})

test('the server is probed after 40 seconds of silence while nothing is awaited', () => {
  const watch = new ResponseWatch()
  watch.received(0)
  assert.deepEqual(found(watch), [40_000, 'probe'])
  assert.equal(found(watch, { isListening: false }), null)
})

test('the server is probed while a request without a time limit is pending', () => {
  const watch = new ResponseWatch()
  watch.received(0)
  watch.sent(0, Infinity)
  assert.deepEqual(found(watch), [750, 'probe'])
  watch.ended(watch.sent(750), 755, true)
  assert.deepEqual(found(watch), [1505, 'probe'])
})

test('a stream is reopened if it does not repeat responses for eight seconds', () => {
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

test('a late check, or a check in a hidden page, restarts all time limits', () => {
  const watch = new ResponseWatch()
  watch.received(0)
  watch.sent(0)
  assert.equal(watch.due(true, true), 2000)
  assert.equal(watch.check(2600, { isListening: true, isAwaited: true, isHidden: false }), null)
  assert.equal(watch.due(true, true), 4600)
  assert.equal(watch.check(4600, { isListening: true, isAwaited: true, isHidden: true }), null)
  assert.deepEqual(found(watch), [6600, 'lost'])
})

test('repeated failures double the time limit, and a prompt response resets it', () => {
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
