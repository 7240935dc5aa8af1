import assert from 'node:assert/strict'
import { test } from 'node:test'
import { abbreviated } from '../../Public/js/grid/section-headers.js'

test('titles of narrow sections lose the weekday, and of months all but three letters', () => {
  const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
  assert.deepEqual(months.map((month) => abbreviated(`${month} 2019`)), months.map((month) => `${month.slice(0, 3)} 2019`))
  assert.equal(abbreviated('Friday, 12 July 2019'), '12 Jul 2019')
  assert.equal(abbreviated('Rome, October 2024'), 'Rome, Oct 2024')
  assert.equal(abbreviated('Marching bands'), 'Marching bands')
  assert.equal(abbreviated(''), '')
})
