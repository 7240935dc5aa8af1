import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const folder = new URL('../../Public/css/', import.meta.url)
const sheets = readdirSync(folder).map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8').replace(/\/\*.*?\*\//gs, '') }))
const theme = sheets.find(({ name }) => name === 'theme.css').text

/** Returns every declaration of properties with matching names, as `[sheet, property, value]`. */
const declarations = (properties) =>
  sheets.flatMap(({ name, text }) => [...text.matchAll(new RegExp(`(?<![\\w-])(${properties}):([^;}]*)`, 'g'))].map(([, property, value]) => [name, property, value.trim()]))

test('spacing steps are multiples of 4 px, and the half step is 2 px', () => {
  const steps = [...theme.matchAll(/--space-(\w+): (\d+)px/g)].map(([, name, px]) => [name, Number(px)])
  assert.ok(steps.length > 5)
  for (const [name, px] of steps) assert.equal(px, name === 'half' ? 2 : Number(name) * 4, `--space-${name}`)
})

test('paddings, margins and gaps use the spacing steps, and no other lengths in px', () => {
  const found = declarations('(?:padding|margin|gap|row-gap|column-gap)(?:-[a-z-]+)?')
  assert.ok(found.length > 100)
  for (const [sheet, property, value] of found) {
    for (const part of value.replaceAll(/var\(--space-\w+\)/g, '').split(/[\s(),]+/)) {
      assert.match(part, /^(|0|auto|calc|[-+*/]|[\d.]+|[\d.]+%|!important|inherit|env|max|min|var|safe-area-inset-\w+|--[a-z]+)$/, `${sheet}: ${property}: ${value}`)
    }
  }
})

test('every font size is one of the four sizes, or twice the largest', () => {
  assert.equal([...theme.matchAll(/--type-\d: \d+px/g)].length, 4)
  const found = declarations('font-size')
  assert.ok(found.length > 10)
  for (const [sheet, , value] of found) assert.match(value, /^(var\(--type-[1-4]\)|calc\(2 \* var\(--type-4\)\)|inherit|0)$/, sheet)
})

test('every transition uses the shared duration and easing', () => {
  const found = declarations('transition')
  assert.ok(found.length > 2)
  for (const [sheet, , value] of found) assert.match(value, /var\(--quick\) var\(--ease\)|^none$/, `${sheet}: ${value}`)
})
