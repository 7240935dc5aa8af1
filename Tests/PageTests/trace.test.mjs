import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readyMade, SCROLLS } from '../../Public/js/race/scrolls.js'
import { clock, parseTrace } from '../../Public/js/trace/format.js'
import { Playback } from '../../Public/js/trace/playback.js'
import { Recorder } from '../../Public/js/trace/recorder.js'

const layout = { kind: 'grid', itemWidth: 100, itemHeight: 75 }
const page = { itemCount: 500, viewport: { width: 800, height: 600 }, layout }

function recorder() {
  const recorder = new Recorder()
  recorder.begin(page)
  return recorder
}

test('a recording parses to its header and its samples, with times from 0 ms on', () => {
  const recording = recorder()
  recording.start(5000, 10)
  recording.take(5016.66, 42.123, 'wheel')
  recording.take(5020, 42.123, undefined, { kind: 'key', scrollTop: 600 })
  const { header, samples } = parseTrace(recording.stop(5033, 80))
  assert.deepEqual(header, { version: 1, ...page })
  assert.deepEqual(samples, [
    { t: 0, y: 10, phase: 'idle' }, { t: 16.7, y: 42.1, phase: 'wheel' },
    { t: 20, y: 42.1, hint: { kind: 'key', scrollTop: 600 } }, { t: 33, y: 80, phase: 'idle' },
  ])
  assert.equal(recording.isRecording, false)
})

test('the last minute begins at the scroll position of a minute ago', () => {
  const recording = recorder()
  for (let second = 0; second <= 100; second++) recording.take(second * 1000, second, 'wheel')
  const { samples } = parseTrace(recording.lastMinute(100_000, 100))
  assert.deepEqual([samples[0].y, samples[1].y], [39, 40])
})

test('a change of the layout restarts the recording', () => {
  const recording = recorder()
  recording.start(0, 0)
  recording.take(10, 500, 'wheel')
  recording.begin({ ...page, layout: { ...layout, itemWidth: 50 } })
  const { header, samples } = parseTrace(recording.stop(20, 250))
  assert.equal(header.layout.itemWidth, 50)
  assert.deepEqual(samples.map(({ y }) => y), [250])
})

test('lastMinute() returns null before there is a layout', () => {
  assert.equal(new Recorder().lastMinute(0, 0), null)
})

test('a file that is not a trace is rejected with a readable message', () => {
  assert.throws(() => parseTrace('hello'), /lines are not JSON/)
  assert.throws(() => parseTrace('{"version":2,"viewport":{}}'), /not a version 1 trace/)
  assert.throws(() => parseTrace(''), /not a version 1 trace/)
  assert.throws(() => parseTrace('{"version":1,"viewport":{}}\n{"t":"now","y":0}'), /no scrolling/)
})

test('playback returns only the latest of the samples that are due', () => {
  const playback = new Playback([{ t: 50, y: 0 }, { t: 60, y: 1 }, { t: 70, y: 2 }, { t: 90, y: 3 }])
  assert.equal(playback.length, 40)
  assert.equal(playback.due(-5), null)
  assert.equal(playback.due(25).y, 2)
  assert.equal(playback.due(30), null)
  assert.equal(playback.last.y, 2)
  assert.equal(playback.isOver, false)
  assert.equal(playback.due(1000).y, 3)
  assert.equal(playback.isOver, true)
})

const names = [...SCROLLS.map(([name]) => name), 'story']

test('ready-made scrolls are reproducible, never go above the top, and end at rest', () => {
  for (const name of names) {
    const samples = readyMade(name)
    assert.deepEqual(samples, readyMade(name))
    assert.ok(samples.every(({ t, y }, index) => y >= 0 && (index === 0 || t > samples[index - 1].t)))
    assert.equal(samples.at(-1).phase, 'idle')
    assert.ok(Math.max(...samples.map(({ y }) => y)) > 900, name)
  }
  assert.equal(readyMade('toString'), null)
})

test('a ready-made scroll passes the same number of rows at every row height', () => {
  for (const name of names) {
    const rows = (height) => readyMade(name, height).map(({ t, y }) => [t, Math.round((y / height) * 1e6)])
    assert.deepEqual(rows(57), rows(228), name)
  }
})

test('the scroll of the story takes at most eight seconds', () => {
  assert.ok(new Playback(readyMade('story')).length <= 8000)
})

test('the first scroll turns a wheel, with pauses of 0.6 to 1.5 seconds', () => {
  assert.equal(SCROLLS[0][0], 'wheel')
  const samples = readyMade('wheel')
  assert.deepEqual(new Set(samples.map(({ phase }) => phase)), new Set(['idle', 'wheel']))
  const starts = samples.flatMap(({ phase, t }, index) => (phase !== samples[index - 1]?.phase ? [{ phase, t }] : []))
  const looks = starts.flatMap(({ phase, t }, index) => (phase === 'idle' && index && starts[index + 1] ? [starts[index + 1].t - t] : []))
  assert.ok(looks.length > 6)
  assert.ok(looks.every((look) => look > 580 && look < 1520), looks.join())
  const speeds = samples.slice(1).map(({ t, y }, index) => (Math.abs(y - samples[index].y) / (t - samples[index].t)) * 1000)
  assert.ok(Math.max(...speeds) < 6000)
})

test('race-fling.ndjson contains the samples of the ready-made fling', () => {
  const file = new URL('../ReplayTests/Traces/race-fling.ndjson', import.meta.url)
  const { samples } = parseTrace(readFileSync(file, 'utf8'))
  const round = (number) => Math.round(number * 10) / 10
  assert.deepEqual(samples, readyMade('fling').map(({ t, y, phase }) => ({ t: round(t), y: round(y), phase })))
})

test('time is written as minutes and seconds', () => {
  assert.deepEqual([-5, 7_900, 60_000, 3_600_000].map(clock), ['0:00', '0:07', '1:00', '60:00'])
})
