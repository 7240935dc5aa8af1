import assert from 'node:assert/strict'
import { test } from 'node:test'
import { END, HeightCompression } from '../../Public/js/scroll/height-compression.js'
import { random } from './random.mjs'

const heights = [8_000_001, 9_000_000, 50_000_000, 3_000_000_000]

test('content within the limit of the browser is not compressed', () => {
  const low = new HeightCompression(8_000_000, 900)
  assert.equal(low.isNeeded, false)
  assert.equal(low.physicalHeight, 8_000_000)
  assert.equal(low.limit, 7_999_100)
  assert.equal(new HeightCompression(500, 900).limit, 0)
})

test('every position of taller content maps to a position within the limit, in the same order', () => {
  for (const height of heights) {
    const compression = new HeightCompression(height, 900)
    assert.ok(compression.isNeeded)
    assert.deepEqual([compression.toPhysical(0), compression.toPhysical(compression.limit)], [0, 8_000_000 - 900])
    let before = -1
    for (let step = 0; step <= 10_000; step++) {
      const physical = compression.toPhysical((compression.limit * step) / 10_000)
      assert.ok(physical > before && physical <= compression.physicalLimit)
      before = physical
    }
  }
})

test('a position survives the conversion to a physical position and back', () => {
  const next = random(3)
  for (const height of heights) {
    const compression = new HeightCompression(height, 900)
    for (let round = 0; round < 1000; round++) {
      const v = next() * compression.limit
      assert.ok(Math.abs(compression.toVirtual(compression.toPhysical(v)) - v) < 1e-3, `${v} of ${height}`)
    }
  }
})

test('positions near both ends are not compressed', () => {
  for (const height of heights) {
    const compression = new HeightCompression(height, 900)
    assert.equal(compression.toPhysical(END), END)
    assert.equal(compression.toVirtual(123), 123)
    assert.equal(compression.toPhysical(compression.limit - 123), compression.physicalLimit - 123)
    assert.equal(compression.toVirtual(compression.physicalLimit - END), compression.limit - END)
    assert.deepEqual([compression.tolerance(0), compression.tolerance(compression.limit)], [1, 1])
  }
})
