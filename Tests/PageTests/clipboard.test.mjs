import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyText } from '../../Public/js/page/clipboard.js'

function withClipboard(clipboard) {
  Object.defineProperty(globalThis, 'navigator', { value: { clipboard }, configurable: true })
}

test('copyText copies the text and returns true', async () => {
  const copied = []
  withClipboard({ writeText: async (text) => void copied.push(text) })
  assert.equal(await copyText('48.1, 2.2'), true)
  assert.deepEqual(copied, ['48.1, 2.2'])
})

test('copyText returns false if the browser refuses or has no clipboard', async () => {
  withClipboard({ writeText: async () => { throw new DOMException('no', 'NotAllowedError') } })
  assert.equal(await copyText('a'), false)
  withClipboard(undefined)
  assert.equal(await copyText('a'), false)
})
