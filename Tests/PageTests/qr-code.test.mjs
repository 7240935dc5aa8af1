import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { qrModules, qrPath } from '../../Public/js/sharing/qr-code.js'

const SCALE = 4 // pixels per module
const QUIET = 4 // modules

/** Returns the text that a decoder reads in a picture of the code. Package: zbar-tools, see .ci/install --tests. */
function decoded(modules) {
  const side = (modules.length + 2 * QUIET) * SCALE
  const pixels = Buffer.alloc(side * side, 255)
  modules.forEach((row, y) => row.forEach((isDark, x) => {
    const first = (y + QUIET) * SCALE * side + (x + QUIET) * SCALE
    for (let line = 0; isDark && line < SCALE; line++) pixels.fill(0, first + line * side, first + line * side + SCALE)
  }))
  const input = Buffer.concat([Buffer.from(`P5\n${side} ${side}\n255\n`), pixels])
  return execFileSync('zbarimg', ['-q', '--nodbus', '--raw', '-Sdisable', '-Sqrcode.enable', 'pgm:-'], { input, encoding: 'utf8' }).slice(0, -1)
}

const versionOf = (text) => (qrModules(text).length - 17) / 4

test('a decoder reads the text of a code', () => {
  for (const text of [
    'A', 'hello, world',
    'https://photos.example.org:8443/?gallery=2c26b46b68ffc68f&sort=taken&q=london+bridge&follow=60303ae22b998861bce3b28f33eec1be',
    'http://[::1]:8080/?q=%F0%9F%8C%8A&from=2021-07#50%25', 'Grüße aus Łódź, 日本語, 🌊🌊',
  ]) assert.equal(decoded(qrModules(text)), text)
})

test('a code has the smallest version whose bytes of level M suffice, and a decoder reads a full one', () => {
  const limits = { 1: 14, 2: 26, 3: 42, 6: 106, 7: 122, 9: 180, 10: 213, 13: 331, 20: 666, 27: 1125 }
  for (const [version, limit] of Object.entries(limits)) {
    const text = Array.from({ length: limit }, (_, index) => String.fromCharCode(33 + ((index * 31) % 94))).join('')
    assert.equal(versionOf(text), Number(version))
    assert.equal(decoded(qrModules(text)), text, `version ${version}`)
    const longer = qrModules(`${text}!`)
    if (limit === 1125) assert.equal(longer, null)
    else assert.ok(longer.length > 4 * version + 17)
  }
})

test('a decoder reads a code with a stain', () => {
  const text = 'https://photos.example.org/?gallery=2c26b46b68ffc68f&follow=60303ae22b998861bce3b28f33eec1be'
  const modules = qrModules(text)
  for (let y = 20; y < 26; y++) for (let x = 14; x < 20; x++) modules[y][x] = true
  assert.equal(decoded(modules), text)
})

test('the path has a rectangle for each run of dark modules', () => {
  assert.equal(qrPath([[true, true, false], [false, false, true]]), 'M0 0h2v1h-2zM2 1h1v1h-1z')
})
