import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Axes } from '../../Public/js/waterfall/axes.js'
import { barPaths } from '../../Public/js/waterfall/paths.js'
import { ScrollRecord } from '../../Public/js/waterfall/record.js'
import { Waterfall } from '../../Public/js/waterfall/waterfall.js'

class FakePath {
  calls = []
}
for (const name of ['rect', 'moveTo', 'lineTo', 'closePath']) FakePath.prototype[name] = function (...numbers) { this.calls.push([name, ...numbers]) }

const still = { matches: false }
const schemes = []
const calls = [] // of the context
Object.assign(globalThis, {
  Path2D: FakePath, devicePixelRatio: 1,
  getComputedStyle: ({ style }) => ({ color: style.color, fontFamily: 'sans' }),
  matchMedia: (query) => ({
    get matches() { return query.includes('motion') && still.matches },
    addEventListener: (_, listener) => schemes.push(listener),
  }),
  ResizeObserver: class {
    constructor(callback) { this.callback = callback }
    observe() { this.callback([{ contentRect: { width: 400, height: 221 } }]) }
  },
})

const context = new Proxy({}, {
  get: (target, name) => target[name] ?? (name === 'measureText' ? () => ({ width: 20 }) : (...rest) => void calls.push([name, ...rest])),
})

/** A canvas of 400 x 221 px. The plot is 200 px high. */
function scene(options = {}) {
  const listeners = {}
  const canvas = { style: {}, getContext: () => context, addEventListener: (name, listener) => (listeners[name] = listener), setPointerCapture() {} }
  const heard = []
  const pictures = [
    { item: 1, top: 100, height: 100, wanted: 1000, requested: 1200, arrived: 2000, seen: 3000 },
    { item: 5, top: 900, height: 100, wanted: 5000, requested: 5200, cancelled: 6000, cause: 'turned' },
    { item: 8, top: 1500, height: 100, wanted: 6000, requested: 6200, arrived: 7000 },
  ]
  const record = new ScrollRecord({ end: 10_000, viewport: { width: 800, height: 2000 }, samples: [{ t: 0, y: 0, visible: 10, blank: 5 }], pictures, ...options.document })
  const waterfall = new Waterfall(canvas, { record, pointed: (picture) => heard.push(['pointed', picture?.item]), chosen: (picture) => heard.push(['chosen', picture?.item]), ...options })
  const event = (more) => ({ pointerId: 1, pointerType: 'mouse', button: 0, prevented: false, preventDefault() { this.prevented = true }, stopPropagation() {}, ...more })
  const send = (name, more) => {
    const sent = event(more)
    listeners[name](sent)
    return sent
  }
  return { waterfall, record, heard, send, key: (key) => send('keydown', { key }).prevented }
}

/** Returns how often a drawing fills or strokes. */
function paintings(waterfall) {
  calls.length = 0
  assert.ok(waterfall.draw(0))
  return calls.filter(([name]) => name === 'fill' || name === 'stroke').length
}

const many = (count) => Array.from({ length: count }, (_, item) => ({
  item, top: (item % 50) * 40, height: 40, wanted: item, requested: item + 100, [['arrived', 'cancelled', 'failed'][item % 3]]: item + 200, ...(item % 6 ? {} : { seen: item + 300 }),
}))

test('nothing is drawn if nothing has changed', () => {
  const { waterfall, record, send } = scene()
  assert.deepEqual([waterfall.draw(0), waterfall.draw(16)], [true, false])
  record.merge({ end: 10_100 })
  assert.deepEqual([waterfall.draw(33), waterfall.draw(50)], [true, false])
  schemes.forEach((listener) => listener())
  assert.deepEqual([waterfall.draw(66), waterfall.draw(83)], [true, false], 'the colours of a new scheme are read once')
  send('pointermove', { offsetX: 60, offsetY: 18 })
  assert.deepEqual([waterfall.draw(100), waterfall.draw(116)], [true, false])
})

test('the number of fills and strokes does not grow with the number of pictures', () => {
  const [few, most] = [60, 4096].map((count) => paintings(scene({ document: { pictures: many(count) } }).waterfall))
  assert.equal(few, most)
  assert.ok(few < 20, `${few} fills and strokes`)
})

test('a cancelled bar ends in a cross', () => {
  const { record } = scene()
  const axes = new Axes()
  const plot = { left: 0, top: 0, width: 400, height: 200 }
  axes.resize(plot)
  axes.limit({ from: 0, to: 10_000, top: 0, bottom: 2000 })
  axes.fit()
  const paths = barPaths(record, axes, plot, 10_000)
  assert.deepEqual(Object.keys(paths).sort(), ['cancelled', 'cross', 'loading', 'ready', 'wanted', 'wasted'])
  assert.deepEqual(paths.cross.calls.map(([name]) => name), ['moveTo', 'lineTo', 'moveTo', 'lineTo'])
  const [, from, , to] = paths.cross.calls.map(([, x, y]) => [x, y])
  assert.ok(from[0] > 240 && to[0] > 240 && to[0] < 245, 'the cross is at 6 s')
  assert.deepEqual(paths.loading.calls.map(([, x, , width]) => [x, width]), [[48, 32]])
  assert.equal(paths.wanted.calls.length, 3)
})

test('bars outside of the view are not part of a path', () => {
  const { record } = scene()
  const axes = new Axes()
  axes.limit({ from: 0, to: 10_000, top: 0, bottom: 2000 })
  axes.resize({ left: 0, top: 0, width: 400, height: 200 })
  axes.view = { from: 8000, to: 9000, top: 0, bottom: 2000 }
  assert.deepEqual(barPaths(record, axes, { left: 0, top: 0, width: 400, height: 200 }, 10_000), {})
})

test('the pointer finds the picture below it, and a click selects it', () => {
  const { waterfall, heard, send } = scene()
  waterfall.draw(0)
  const at = { offsetX: 60, offsetY: 23 } // 1.5 s and the top of the first picture
  send('pointermove', at)
  send('pointerdown', at)
  send('pointerup', at)
  send('pointermove', { offsetX: 350, offsetY: 180 })
  assert.deepEqual(heard, [['pointed', 1], ['chosen', 1], ['pointed', undefined]])
})

test('a drag pans and does not select', () => {
  const { waterfall, heard, send } = scene()
  waterfall.draw(0)
  send('pointerdown', { offsetX: 60, offsetY: 23 })
  send('pointermove', { offsetX: 90, offsetY: 23 })
  send('pointerup', { offsetX: 90, offsetY: 23 })
  assert.deepEqual(heard, [])
  assert.equal(waterfall.draw(16), true)
})

test('keys pan and zoom, Escape ends the selection, and Tab is never used', () => {
  const { waterfall, heard, send, key } = scene()
  waterfall.draw(0)
  assert.deepEqual(['Tab', 'Escape', 'Enter', 'a'].map(key), Array(4).fill(false))
  assert.deepEqual(['+', 'ArrowRight', 'ArrowUp', '-', 'Home', 'End'].map((name) => key(name) && waterfall.draw(0)), Array(6).fill(true))
  waterfall.fit()
  waterfall.draw(0)
  send('pointerdown', { offsetX: 60, offsetY: 23 })
  send('pointerup', { offsetX: 60, offsetY: 23 })
  assert.ok(key('Escape'))
  assert.deepEqual(heard, [['chosen', 1], ['chosen', undefined]])
})

test('a click beside all bars moves the cursor, if there is one', () => {
  const moments = []
  const { waterfall, send } = scene({ sought: (t) => moments.push(t) })
  waterfall.draw(0)
  const click = (offsetX, offsetY) => ['pointerdown', 'pointerup'].forEach((name) => send(name, { offsetX, offsetY }))
  click(100, 190)
  waterfall.cursor = 5000
  assert.deepEqual([waterfall.draw(16), waterfall.draw(33)], [true, false])
  click(60, 23)
  click(100, 190)
  assert.deepEqual(moments, [2500])
  waterfall.cursor = null
  assert.equal(waterfall.draw(50), true)
})

test('a waterfall beside another one shows the same part of its record', () => {
  const first = scene()
  first.waterfall.draw(0)
  const second = scene({ beside: first.waterfall, document: { end: 20_000, pictures: many(60) } })
  assert.deepEqual([second.waterfall.draw(0), first.waterfall.draw(0), second.waterfall.draw(16)], [true, false, false])
  second.key('+')
  assert.deepEqual([first.waterfall.draw(33), second.waterfall.draw(33), first.waterfall.draw(50)], [true, true, false])
  first.key('ArrowLeft')
  assert.deepEqual([second.waterfall.draw(66), first.waterfall.draw(66)], [true, true])
})

test('a live waterfall follows the newest moment, in steps of a second with reduced motion', () => {
  const { waterfall } = scene({ isLive: true })
  const drawn = (times) => times.map((t) => waterfall.draw(t))
  for (let frame = 0; frame < 100; frame++) waterfall.draw(20_000)
  assert.deepEqual(drawn([20_005, 20_020, 20_030, 20_050]), [false, true, false, true], 'a px is 30 ms')
  still.matches = true
  const calm = scene({ isLive: true }).waterfall
  calm.draw(20_100)
  assert.deepEqual([20_200, 20_900, 21_100, 21_200].map((t) => calm.draw(t)), [false, false, true, false])
  still.matches = false
})

test('a report can join the modules of the waterfall', () => {
  const folder = new URL('../../Public/js/waterfall/', import.meta.url)
  const texts = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const names = texts.flatMap((text) => [...text.matchAll(/^(?:export )?(?:const|function|class|let) ([\w$]+|\[[^\]]*\])/gm)].flatMap(([, name]) => name.match(/[\w$]+/g)))
  assert.equal(new Set(names).size, names.length, 'a name occurs twice')
  for (const text of texts) {
    for (const [line] of text.matchAll(/^import .*$/gm)) assert.match(line, /^import \{ [\w, ]+ \} from '\.\/[\w-]+\.js'$/)
    assert.ok(!/export default|^export \{|\bawait import\(/m.test(text))
  }
})
