import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LongPress } from '../../Public/js/select/long-press.js'

globalThis.navigator ??= /** @type {any} */ ({}) // missing in old versions of Node.js

/** A layer with one cell, item 7, and the items of its long presses. */
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

test('a touch longer than 450 ms is a long press, even if the timer has not fired', () => {
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

test('a touch that moves or is cancelled is not a long press', () => {
  const { pressed, send } = layer()
  send('pointerdown', 1000)
  send('pointermove', 1100, 60)
  send('pointerup', 1800)
  send('pointerdown', 2000)
  send('pointercancel', 2100)
  send('pointerup', 2900)
  assert.deepEqual(pressed, [])
})
