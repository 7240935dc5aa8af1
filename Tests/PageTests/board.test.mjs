import assert from 'node:assert/strict'
import { test } from 'node:test'

globalThis.ResizeObserver = /** @type {any} */ (class { observe() {} })
globalThis.devicePixelRatio = 1
const { Board } = await import('../../Public/js/race/board.js')

const FIGURES = ['blank', 'empty', 'slow', 'settle', 'waste']

/** A stand-in for an element, with the members that the board uses. */
function element(figure) {
  const attributes = new Set()
  return {
    dataset: { figure }, attributes, textContent: '', hidden: false,
    toggleAttribute: (name, isOn) => void (isOn ? attributes.add(name) : attributes.delete(name)),
    removeAttribute: (name) => attributes.delete(name),
    setAttribute: (name) => attributes.add(name),
  }
}

/** A pane with these figures, in the order of `FIGURES`. */
function pane([blankShare, emptyShare, slowBlankShare, settle, waste]) {
  const fields = FIGURES.map(element)
  const parts = { 'h3 span': element(), '.side p': element() }
  const root = { ...element(), fields, querySelector: (name) => parts[name], querySelectorAll: () => fields }
  return { root, view: element(), tally: { blankShare, emptyShare, slowBlankShare, settle }, waste, line: { share: () => NaN } }
}

/** Returns a board that shows the figures of two sides, and the board's parts. */
function board(left, right, isConclusive = true) {
  const parts = {}
  const part = (name) => (parts[name] ??= element())
  const panes = [pane(left), pane(right)]
  const board = new Board({ querySelector: part }, panes)
  board.clear([{ name: 'Lookahead', how: '' }, { name: 'iOS app', how: '' }])
  board.figures(isConclusive)
  const better = panes.map(({ root }) => root.fields.filter(({ attributes }) => attributes.has('data-better')).map(({ dataset }) => dataset.figure))
  return { board, better, panes, words: (name) => parts[`[data-part="${name}"]`].textContent }
}

test('the board highlights the better figure on either side', () => {
  const { better } = board([0.4, 0, 0.3, 900, 0.2], [0.5, 0.5, 0.4, 300, 0.1])
  assert.deepEqual(better, [['blank', 'empty', 'slow'], ['settle', 'waste']])
  assert.deepEqual(board([0.5, 0.5, 0.4, 300, 0.1], [0.4, 0, 0.3, 900, 0.2]).better, [['settle', 'waste'], ['blank', 'empty', 'slow']])
})

test('the board highlights no figure if the sides are equal or the race is inconclusive', () => {
  const alike = [0.4, 0.1, 0.3, 300, 0.1]
  assert.deepEqual(board(alike, alike).better, [[], []])
  assert.deepEqual(board([0.4, 0, 0.3, 900, 0.2], [0.5, 0.5, 0.4, 300, 0.1], false).better, [[], []])
})

test('a race without a verdict shows one sentence and marks no winner', () => {
  const { board: announced, panes, words } = board([0.4, 0, 0.3, 900, 0.2], [0.5, 0.5, 0.4, 300, 0.1])
  announced.announce('Stopped too early')
  assert.deepEqual([words('headline'), words('details'), words('spoken')], ['Stopped too early', '', 'Stopped too early'])
  assert.deepEqual(panes.map(({ root }) => root.attributes.has('data-winner')), [false, false])
  const marked = panes.flatMap(({ root }) => root.fields.filter(({ attributes }) => attributes.has('data-better')))
  assert.deepEqual(marked, [], 'no figure is highlighted')
})
