import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../Public/', import.meta.url)
const text = (file) => readFileSync(new URL(file, root), 'utf8')

/** Returns a module and all modules that it imports statically, directly or indirectly. */
function closure(module, found = new Set()) {
  if (found.has(module)) return found
  found.add(module)
  for (const [, path] of text(module).matchAll(/^(?:import|export)[^'"]*? from '([^']+)'/gm)) {
    closure(new URL(path, new URL(module, root)).href.slice(root.href.length), found)
  }
  return found
}

test('embed.js imports no module of the page around a gallery', () => {
  const all = closure('embed.js')
  all.delete('embed.js')
  assert.ok(all.size > 0)
  for (const module of all) assert.doesNotMatch(module, /boot|main|page\/page\.js|header\/|dashboard|race/, module)
})

test('index.html contains the elements of an embedded gallery, and no inline styles or handlers', () => {
  const page = text('index.html')
  const [, shown] = text('js/embed/parts.js').match(/SHOWN = \[([^\]]+)\]/)
  for (const id of shown.matchAll(/'([^']+)'/g)) assert.match(page, new RegExp(`id="${id[1]}"`))
  assert.doesNotMatch(page, / style="| on[a-z]+="/)
})

test('the parts of a dialog and of the dashboard have different names, except for the two policies of a race', () => {
  for (const element of text('index.html').split(/^(?=<[a-z])/m)) {
    const names = [...element.matchAll(/data-part="([\w-]+)"/g)].map(([, name]) => name)
    const repeated = names.filter((name, index) => names.indexOf(name) !== index && name !== 'own')
    assert.deepEqual(repeated, [], element.slice(0, 60))
  }
})
