import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storyResult } from '../../Public/js/race/verdict.js'
import { isStoryDue } from '../../Public/js/story/first-visit.js'

const visit = (changes) => isStoryDue({ search: '', isDriven: false, wasShown: false, ...changes })

test('the story is shown on the first visit if the address has no parameter except the gallery', () => {
  assert.equal(visit({}), true)
  assert.equal(visit({ search: '?gallery=demo' }), true)
  assert.equal(visit({ wasShown: true }), false)
  for (const search of ['?race', '?item=7', '?view=7', '?dashboard', '?layout=masonry', '?gallery=demo&sort=name', '?latency=300']) {
    assert.equal(visit({ search }), false, search)
  }
})

test('the address can request the story in an automated browser and on later visits', () => {
  assert.equal(visit({ isDriven: true }), false)
  assert.equal(visit({ search: '?story', isDriven: true }), true)
  assert.equal(visit({ search: '?story&latency=150', wasShown: true }), true)
})

test('the story claims a win from two points on, and otherwise states both figures', () => {
  assert.equal(storyResult(0.29, 0.04), '4.0% empty instead of 29%.')
  assert.equal(storyResult(0.29, 0.27), '27% empty instead of 29%.')
  assert.equal(storyResult(0.29, 0.28), '29% empty without prefetching, 28% with it.')
  assert.equal(storyResult(0.1, 0.4), '10% empty without prefetching, 40% with it.', 'a worse result is not a win')
  assert.equal(storyResult(0, 0), 'Nothing was empty on either side.')
})
