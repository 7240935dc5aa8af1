import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../Public/', import.meta.url)
const text = (file) => readFileSync(new URL(file, root), 'utf8')

/** A module and all that it imports without asking. */
function closure(module, found = new Set()) {
  if (found.has(module)) return found
  found.add(module)
  for (const [, path] of text(module).matchAll(/^(?:import|export)[^'"]*? from '([^']+)'/gm)) {
    closure(new URL(path, new URL(module, root)).href.slice(root.href.length), found)
  }
  return found
}

test('the module of the element imports nothing of the page around a gallery', () => {
  const all = closure('embed.js')
  all.delete('embed.js')
  for (const module of all) assert.doesNotMatch(module, /boot|main|page\/page\.js|header\/|dashboard|race/, module)
})

test('the elements that it takes from the page are there, and have no style of their own', () => {
  const page = text('index.html')
  const [, shown] = text('js/embed/parts.js').match(/SHOWN = \[([^\]]+)\]/)
  for (const id of shown.matchAll(/'([^']+)'/g)) assert.match(page, new RegExp(`id="${id[1]}"`))
  assert.doesNotMatch(page, / style="| on[a-z]+="/)
})
