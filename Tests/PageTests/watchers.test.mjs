import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchersInWords } from '../../Public/js/sharing/watchers.js'

test('the sentence on watchers names at most two of them and counts the others', () => {
  const words = (count, ...names) => watchersInWords({ count, names })
  assert.deepEqual(
    [words(0), words(1), words(3), words(1, 'Ada'), words(2, 'Ada'), words(2, 'Ada', 'Grace'), words(5, 'Ada', 'Grace', 'Edsger')],
    ['', '1 person is watching', '3 people are watching', 'Ada is watching', 'Ada and 1 other are watching', 'Ada and Grace are watching', 'Ada, Grace and 3 others are watching'])
})
