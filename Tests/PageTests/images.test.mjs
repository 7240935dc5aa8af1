import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMoving } from '../../Public/js/viewer/images.js'

const head = (text, flags = 0) => {
  const bytes = new Uint8Array(32)
  bytes.set([...text].map((character) => character.charCodeAt(0)))
  bytes[20] = flags
  return bytes
}

test('the first bytes tell whether a file moves', () => {
  assert.ok(isMoving(head('GIF89a')))
  assert.ok(isMoving(head('RIFF\0\0\0\0WEBPVP8X', 0b10)))
  assert.ok(!isMoving(head('RIFF\0\0\0\0WEBPVP8X', 0b10000)), 'only transparent')
  assert.ok(!isMoving(head('RIFF\0\0\0\0WEBPVP8 ', 0b10)))
  assert.ok(isMoving(head('\0\0\0\x20ftypavis')))
  assert.ok(!isMoving(head('\0\0\0\x20ftypavif')))
  assert.ok(!isMoving(head('\x89PNG')) && !isMoving(new Uint8Array(0)))
})
