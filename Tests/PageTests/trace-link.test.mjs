import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { raceLink, samplesOf, traceText } from '../../Public/js/trace/trace-link.js'
import { random } from './random.mjs'

const PHASES = ['idle', 'touch', 'momentum', 'wheel', 'drag', 'keyboard', 'jump', undefined]

function scroll(next, count) {
  let [t, y] = [next() * 1e5, next() * 1e6]
  return Array.from({ length: count }, () => {
    t += next() < 0.9 ? 16.7 : next() * 2000
    y = Math.max(0, y + (next() - 0.45) * 10 ** (next() * 5))
    return { t, y, phase: PHASES[Math.floor(next() * PHASES.length)] }
  })
}

const link = (words) => deflateRawSync(words).toString('base64url')
const refused = (text) => assert.rejects(samplesOf(text), /incomplete or too long/)

test('a scroll survives its link, to within a millisecond and a pixel, and times start at 0', async () => {
  const next = random(71)
  for (let round = 0; round < 100; round++) {
    const samples = scroll(next, 1 + Math.floor(next() * 400))
    const text = await traceText(samples)
    assert.match(text, /^[\w-]+$/)
    const expected = samples.map(({ t, y, phase }) => ({ t: Math.round(t - samples[0].t), y: Math.round(y), ...(phase && { phase }) }))
    assert.deepEqual(await samplesOf(text), expected)
  }
})

test('a link can start later, at the position of that moment', async () => {
  const samples = [{ t: 100, y: 10, phase: 'wheel' }, { t: 900, y: 40, phase: 'wheel' }, { t: 1500, y: 70, phase: 'idle' }]
  const from = async (time) => (await samplesOf(await traceText(samples, time))).map(({ t, y }) => [t, y])
  assert.deepEqual(await from(1000), [[0, 40], [500, 70]])
  assert.deepEqual(await from(900), [[0, 40], [600, 70]])
  assert.deepEqual(await from(0), [[0, 10], [800, 40], [1400, 70]])
  assert.deepEqual(await from(9000), [[0, 70]])
})

test('two minutes of wild scrolling fit into a link, and later samples are left out', async () => {
  const samples = scroll(random(72), 8000)
  const text = await traceText(samples)
  assert.ok(text.length < 65_536, `${text.length} characters`)
  assert.equal((await samplesOf(text)).length, 7200)
})

test('a text that is no scroll is refused with a message', async () => {
  for (const text of ['', 'hello', 'ä', '%00', link(''), link('hello'), link('w16+3x'), link('w16+3 w16+3'), link('q16+3'), link('w-16+3')]) await refused(text)
})

test('a link of which a part is missing is refused', async () => {
  const text = await traceText(scroll(random(73), 300))
  for (const share of [0.1, 0.5, 0.9]) await refused(text.slice(0, text.length * share))
  await refused(text.slice(100))
})

test('a link with too many samples or characters is refused, and so is a small link to a large text', async () => {
  assert.equal((await samplesOf(link('w16+3'.repeat(7200)))).length, 7200)
  await refused(link('w16+3'.repeat(7201)))
  await refused(link('w'.repeat(20e6)))
  await refused('A'.repeat(65_537))
})

test('the address of a race names the gallery, its arrangement and the scroll, and nothing else of the page', async () => {
  globalThis.location = /** @type {any} */ (new URL('http://example.org/pictures/?sort=name&text=a%26b&item=7&dashboard#old'))
  const url = new URL(await raceLink([{ t: 0, y: 5 }, { t: 20, y: 9, phase: 'touch' }], 0, { id: 'holiday 1' }))
  assert.equal(url.pathname, '/pictures/')
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    gallery: 'holiday 1', sort: 'name', text: 'a&b', race: 'collection-view,lookahead', trace: 'link',
  })
  assert.deepEqual(await samplesOf(url.hash.replace('#trace=', '')), [{ t: 0, y: 5 }, { t: 20, y: 9, phase: 'touch' }])
})

test('links of earlier versions can still be read', async () => {
  const samples = await samplesOf('yzXQNsg1NNM2sRglaUdmwkmDUYIoAgA')
  assert.equal(samples.length, 121)
  assert.deepEqual([samples[0], samples[1], samples[120]], [
    { t: 0, y: 0, phase: 'momentum' }, { t: 16, y: 48, phase: 'momentum' }, { t: 1920, y: 2880, phase: 'idle' },
  ])
})
