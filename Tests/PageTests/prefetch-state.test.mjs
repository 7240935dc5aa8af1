import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PrefetchState } from '../../Public/js/session/prefetch-state.js'

const thumbnails = { has: () => false, failure: () => null }

/** A state after one plan that requests the items 0, 5 and 10. */
function planned() {
  const state = new PrefetchState()
  state.take({ seq: 1, prefetch: [0, 5, 10], cancel: [] }, thumbnails)
  return state
}

test('requested items outside the view count as prefetching, including the first one below it', () => {
  assert.equal(planned().prefetching({ from: 1, to: 10 }), 2)
  assert.equal(planned().prefetching({ from: 0, to: 11 }), 0)
})

test('an older plan changes nothing', () => {
  const state = planned()
  state.take({ seq: 0, prefetch: [7], cancel: [5] }, thumbnails)
  assert.deepEqual([...state.asked], [0, 5, 10])
})

test('cancellations count only after the first scroll', () => {
  const state = planned()
  state.take({ seq: 2, prefetch: [], cancel: [0] }, thumbnails)
  assert.equal(state.cancelled, 0)
  state.saw({ from: 0, to: 3 })
  state.take({ seq: 3, prefetch: [], cancel: [5] }, thumbnails)
  assert.equal(state.cancelled, 1)
})

test('a picture that arrives outside the view is unseen until a scroll reaches it', () => {
  const state = planned()
  state.arrived(5, { from: 0, to: 6 })
  state.arrived(10, { from: 0, to: 6 })
  assert.deepEqual([state.ahead, state.unseenShare], [1, 0.5])
  state.saw({ from: 8, to: 11 })
  assert.equal(state.unseenShare, 0)
})
