import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LongPress } from '../../Public/js/select/long-press.js'

globalThis.navigator ??= /** @type {any} */ ({}) // old Node.js has none

/** A layer whose only cell is item 7, and what was pressed long on it. */
function layer() {
  const layer = Object.assign(new EventTarget(), { closest: () => ({ dataset: { item: '7' } }) })
  const pressed = []
  const press = new LongPress(layer, (item) => pressed.push(item))
  const send = (type, timeStamp, x = 10) => {
    const event = new Event(type)
    for (const [name, value] of Object.entries({ timeStamp, clientX: x, clientY: 10, pointerType: 'touch', isPrimary: true })) {
      Object.defineProperty(event, name, { value })
    }
    layer.dispatchEvent(event)
  }
  return { press, pressed, send }
}

test('a finger lifted after 450 ms was a long press, also if the timer of a busy page is late', () => {
  const { press, pressed, send } = layer()
  send('pointerdown', 1000)
  send('pointerup', 1800)
  assert.deepEqual(pressed, [7])
  assert.equal(press.hasJustFired, true)
  send('pointerdown', 3000)
  send('pointerup', 3200)
  assert.deepEqual(pressed, [7])
  assert.equal(press.hasJustFired, false)
})

test('a finger that moves or is taken away presses nothing, however late', () => {
  const { pressed, send } = layer()
  send('pointerdown', 1000)
  send('pointermove', 1100, 60)
  send('pointerup', 1800)
  send('pointerdown', 2000)
  send('pointercancel', 2100)
  send('pointerup', 2900)
  assert.deepEqual(pressed, [])
})
