import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turn } from '../../Public/js/arrange/date-turn.js'

const usual = { sort: 'taken', order: 'descending', group: 'month' }
const page = { usual, isFirst: false, isNamed: false, isChosen: false, isMoved: false }

test('a gallery of dated pictures opens newest first, unless the address says otherwise', () => {
  assert.equal(turn({ ...page, isFirst: true }), 'take')
  assert.equal(turn({ ...page, isFirst: true, isNamed: true }), 'keep')
  assert.equal(turn({ ...page, isFirst: true, usual: undefined }), 'keep')
})

test('a page opened before the dates were read turns by itself, while nobody has done anything', () => {
  assert.equal(turn(page), 'take')
  assert.equal(turn({ ...page, usual: null }), 'keep')
})

test('who has scrolled is asked, who has chosen is not', () => {
  assert.equal(turn({ ...page, isMoved: true }), 'offer')
  assert.equal(turn({ ...page, isChosen: true }), 'keep')
  assert.equal(turn({ ...page, isChosen: true, isMoved: true }), 'keep')
  assert.equal(turn({ ...page, isNamed: true, isMoved: true }), 'keep')
})
