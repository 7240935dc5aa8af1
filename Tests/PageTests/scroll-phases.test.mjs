import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ScrollPhases } from '../../Public/js/scroll/scroll-phases.js'

const moved = { jump: false }

test('a key pressed just before the content stops explains the next movement', () => {
  const phases = new ScrollPhases(new EventTarget(), () => false)
  phases.note('keyboard', 0)
  assert.equal(phases.of(moved, 20), 'keyboard')
  assert.equal(phases.of(moved, 150), 'keyboard')
  phases.note('keyboard', 290)
  phases.stopped()
  assert.equal(phases.of(moved, 310), 'keyboard')
})

test('a movement after a stop counts as a wheel movement, not as the previous input', () => {
  const phases = new ScrollPhases(new EventTarget(), () => false)
  for (const kind of ['keyboard', 'momentum', 'touch']) {
    phases.note(kind, 0)
    assert.equal(phases.of(moved, 20), kind)
    phases.stopped()
    assert.equal(phases.of(moved, 200), 'wheel')
  }
})

test('momentum lasts while the content moves, and other inputs explain movement for 400 ms', () => {
  const phases = new ScrollPhases(new EventTarget(), () => false)
  phases.note('momentum', 0)
  for (let time = 300; time < 3_000; time += 300) assert.equal(phases.of(moved, time), 'momentum')
  phases.note('keyboard', 4_000)
  assert.equal(phases.of(moved, 4_399), 'keyboard')
  assert.equal(phases.of(moved, 4_401), 'wheel')
})
