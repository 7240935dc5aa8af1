import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RetrySchedule } from '../../Public/js/session/retry-schedule.js'

// Each row: time in ms, event, expected result. Waits are without the random reduction.
const rows = (table) => {
  const schedule = new RetrySchedule()
  for (const [now, event, expected] of table) {
    const result =
      event === 'tried' ? schedule.tried(now)
      : event === 'spoke' ? schedule.spoke(now)
      : event === 'failed' ? schedule.failed(now, false, 1)
      : event === 'refused' ? schedule.failed(now, true, 1)
      : schedule.mayHurry(now)
    assert.equal(result, expected, `${event} at ${now}`)
  }
}

test('the wait before a retry grows from 50 ms to two seconds', () =>
  rows([
    [0, 'failed', 50],
    [50, 'tried'], [51, 'failed', 250],
    [301, 'tried'], [302, 'failed', 1000],
    [1302, 'tried'], [1303, 'failed', 2000],
    [3303, 'tried'], [3304, 'failed', 2000],
  ]))

test('a connection that lasted two seconds resets the wait, and a shorter one does not', () =>
  rows([
    [0, 'tried'], [1, 'failed', 50],
    [51, 'tried'], [60, 'spoke'], [2059, 'failed', 250],
    [2309, 'tried'], [2310, 'spoke'], [3000, 'spoke'], [4310, 'failed', 50],
    [4360, 'tried'], [4361, 'failed', 250],
  ]))

test('a retry can be hurried once 250 ms have passed since the last try', () =>
  rows([
    [0, 'tried'], [5000, 'failed', 50], [5001, 'moved', true],
    [5001, 'tried'], [5002, 'failed', 250], [5100, 'moved', false], [5251, 'moved', false], [5252, 'moved', true],
    [5252, 'tried'], [5253, 'failed', 1000], [5502, 'moved', false], [5503, 'moved', true],
  ]))

test('retries after a refusal wait up to eight seconds and cannot be hurried', () =>
  rows([
    [0, 'tried'], [10, 'refused', 1000], [900, 'moved', false],
    [1010, 'tried'], [1020, 'refused', 2000], [2900, 'moved', false],
    [3020, 'tried'], [3030, 'refused', 4000],
    [7030, 'tried'], [7040, 'refused', 8000],
    [15040, 'tried'], [15050, 'refused', 8000],
  ]))

test('the random reduction is at most a quarter of a wait, or all of the first wait', () => {
  const schedule = new RetrySchedule()
  assert.deepEqual([0, 1, 2, 3].map((now) => schedule.failed(now, false, 0)), [0, 187.5, 750, 1500])
})
