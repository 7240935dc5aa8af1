import assert from 'node:assert/strict'
import { test } from 'node:test'
import { abbreviated, forms } from '../../Public/js/grid/section-headers.js'

test('an abbreviated title has no weekday, and months of three letters', () => {
  const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
  assert.deepEqual(months.map((month) => abbreviated(`${month} 2019`)), months.map((month) => `${month.slice(0, 3)} 2019`))
  assert.equal(abbreviated('Friday, 12 July 2019'), '12 Jul 2019')
  assert.equal(abbreviated('Rome, October 2024'), 'Rome, Oct 2024')
  assert.equal(abbreviated('Marching bands'), 'Marching bands')
  assert.equal(abbreviated(''), '')
})

test('a narrow title drops its weekday, outer folders, year and month, and keeps the day', () => {
  assert.deepEqual(forms('Wednesday, 18 August 2021'), ['Wednesday, 18 August 2021', '18 Aug 2021', '18 Aug', '18'])
  assert.deepEqual(forms('August 18, 2021'), ['August 18, 2021', 'Aug 18, 2021', 'Aug 18', '18'])
  assert.deepEqual(forms('Trips/Norway/Lofoten'), ['Trips/Norway/Lofoten', 'Lofoten'])
  assert.deepEqual(forms('July 2019'), ['July 2019', 'Jul 2019'])
  assert.deepEqual(forms(''), ['Untitled'])
})
