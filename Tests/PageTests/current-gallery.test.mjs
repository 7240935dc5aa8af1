import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLAIN } from '../../Public/js/arrange/arrangement.js'
import { CurrentGallery } from '../../Public/js/galleries/current-gallery.js'

const gallery = (revision, itemCount) => ({ id: 'pictures', revision, itemCount, sections: [] })

/** A page without a document. The test responds to the page's requests for a gallery. */
function page() {
  const answers = []
  const counts = []
  const state = {
    gallery: null,
    show(found) {
      this.gallery = found
      counts.push(found.itemCount)
    },
  }
  const nothing = () => {}
  const view = {
    state, counts, answers, session: { controls: {} }, notice: { empty: nothing }, scrubber: { begin: nothing }, pageLayout: { begin: nothing, options: {} },
    grid: { forget: nothing }, keyboard: { active: 0 }, lazy: { viewer: {}, selection: {} }, begun: nothing, notify: nothing,
  }
  const current = new CurrentGallery(/** @type {any} */ (view), /** @type {any} */ ({
    wanted: () => new Promise((resolve) => answers.push((found) => resolve({ gallery: found }))),
    arrangement: () => PLAIN, find: async () => {}, place: () => null, opensAt: nothing, show: nothing, keepPlain: nothing,
  }))
  return { current, state, counts, answers }
}

test('an outdated response that arrives last does not replace the latest gallery', async () => {
  const { current, state, counts, answers } = page()
  const [first, second] = [current.choose(), current.choose()]
  answers[1](gallery(2, 126))
  await second
  answers[0](gallery(1, 123))
  await first
  assert.equal(state.gallery.itemCount, 126)
  assert.deepEqual(counts, [126])
})

test('an outdated response that arrives first is not shown even briefly', async () => {
  const { current, counts, answers } = page()
  const [first, second] = [current.choose(), current.choose()]
  answers[0](gallery(1, 123))
  await first
  assert.deepEqual(counts, [])
  answers[1](gallery(2, 126))
  await second
  assert.deepEqual(counts, [126])
})
