import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placesInWords, watchersInWords } from '../../Public/js/sharing/watchers.js'

test('the sentence on watchers names at most two of them and counts the others', () => {
  const words = (count, ...names) => watchersInWords({ count, names })
  assert.deepEqual(
    [words(0), words(1), words(3), words(1, 'Ada'), words(2, 'Ada'), words(2, 'Ada', 'Grace'), words(5, 'Ada', 'Grace', 'Edsger')],
    ['', '1 person is watching', '3 people are watching', 'Ada is watching', 'Ada and 1 other are watching', 'Ada and Grace are watching', 'Ada, Grace and 3 others are watching'])
})

test('the sentence on places counts the followers who are near, further up and further down', () => {
  const words = (...items) => placesInWords(items.map((item) => ({ item, prefetching: true })), { from: 10, to: 20 })
  assert.deepEqual(
    [words(), words(10), words(19, 12), words(20, 9, 500), words(3, 10, 20)],
    ['', '1 is where you are', '2 are where you are', '1 is further up, 2 are further down', '1 is where you are, 1 is further up, 1 is further down'])
})
