import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ScrollPhases } from '../../Public/js/scroll/scroll-phases.js'

const moved = { jump: false }

test('a key that is pressed just before the content is said to rest explains what moves after that', () => {
  const phases = new ScrollPhases(new EventTarget(), () => false)
  phases.note('keyboard', 0)
  assert.equal(phases.of(moved, 20), 'keyboard')
  assert.equal(phases.of(moved, 150), 'keyboard')
  phases.note('keyboard', 290)
  phases.stopped()
  assert.equal(phases.of(moved, 310), 'keyboard')
})

test('what moves after a rest is never said to rest, and its cause is not the one before', () => {
  const phases = new ScrollPhases(new EventTarget(), () => false)
  for (const kind of ['keyboard', 'momentum', 'touch']) {
    phases.note(kind, 0)
    assert.equal(phases.of(moved, 20), kind)
    phases.stopped()
    assert.equal(phases.of(moved, 200), 'wheel')
  }
})

test('momentum lasts as long as it keeps moving, other inputs explain what moves in the 400 ms after them', () => {
  const phases = new ScrollPhases(new EventTarget(), () => false)
  phases.note('momentum', 0)
  for (let time = 300; time < 3_000; time += 300) assert.equal(phases.of(moved, time), 'momentum')
  phases.note('keyboard', 4_000)
  assert.equal(phases.of(moved, 4_399), 'keyboard')
  assert.equal(phases.of(moved, 4_401), 'wheel')
})
