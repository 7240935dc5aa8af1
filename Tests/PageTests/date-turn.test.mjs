import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turn } from '../../Public/js/arrange/date-turn.js'

const usual = { sort: 'taken', order: 'descending', group: 'month' }
const page = { usual, isFirst: false, isNamed: false, isChosen: false, isMoved: false }

test('a gallery with dates opens newest first, unless the address contains an arrangement', () => {
  assert.equal(turn({ ...page, isFirst: true }), 'take')
  assert.equal(turn({ ...page, isFirst: true, isNamed: true }), 'keep')
  assert.equal(turn({ ...page, isFirst: true, usual: undefined }), 'keep')
})

test('an untouched page switches to the order by date once there is one', () => {
  assert.equal(turn(page), 'take')
  assert.equal(turn({ ...page, usual: null }), 'keep')
})

test('a page offers the order by date after a scroll, but keeps an arrangement that was chosen', () => {
  assert.equal(turn({ ...page, isMoved: true }), 'offer')
  assert.equal(turn({ ...page, isChosen: true }), 'keep')
  assert.equal(turn({ ...page, isChosen: true, isMoved: true }), 'keep')
  assert.equal(turn({ ...page, isNamed: true, isMoved: true }), 'keep')
})
