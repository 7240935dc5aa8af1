import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutCredentials } from '../../Public/js/page/address-bar.js'

test('an address loses its user and password, and nothing else', () => {
  for (const given of ['http://u:p@h.example:8080/a/?b=c@d#e', 'http://u@h.example:8080/a/?b=c@d#e', 'http://h.example:8080/a/?b=c@d#e']) {
    assert.equal(withoutCredentials(given).href, 'http://h.example:8080/a/?b=c@d#e')
  }
})

test('the address that is given stays as it is', () => {
  const given = new URL('https://u:p@h.example/')
  assert.equal(withoutCredentials(given).href, 'https://h.example/')
  assert.equal(given.password, 'p')
})
