import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutCredentials } from '../../Public/js/page/address-bar.js'

test('withoutCredentials removes only the user and the password from an address', () => {
  for (const given of ['http://u:p@h.example:8080/a/?b=c@d#e', 'http://u@h.example:8080/a/?b=c@d#e', 'http://h.example:8080/a/?b=c@d#e']) {
    assert.equal(withoutCredentials(given).href, 'http://h.example:8080/a/?b=c@d#e')
  }
})

test('withoutCredentials does not change the URL that is passed in', () => {
  const given = new URL('https://u:p@h.example/')
  assert.equal(withoutCredentials(given).href, 'https://h.example/')
  assert.equal(given.password, 'p')
})
