// The parts of the gallery for a shadow tree: the elements of the page's own markup, and its style sheets. Neither needs
// a style or a script in the document that it is shown in.

import { withoutCredentials } from '../page/address-bar.js'

const STYLES = ['embed', 'theme', 'controls', 'page', 'grid', 'notes', 'scrubber', 'select', 'viewer', 'print']
const SHOWN = ['selected', 'scroller', 'stuck', 'scrubber', 'note', 'notice', 'announcements', 'viewer', 'print']
const base = withoutCredentials(new URL('../../', import.meta.url))

/** @type {Promise<{markup: Document, styles: CSSStyleSheet[]}> | null} */
let loading = null

/** Loads both, once for all elements of a page; again where it failed. */
export function loadParts() {
  loading ??= Promise.all([markup(), Promise.all(STYLES.map(style))]).then(([markup, styles]) => ({ markup, styles }), (error) => {
    loading = null
    throw error
  })
  return loading
}

/**
 * Puts a gallery's elements and styles into a shadow tree. Returns the element that they stand in, and what finds each by its
 * id; those of the page's that have no place there are found, and not shown.
 */
export function furnish(/** @type {ShadowRoot} */ tree, { markup, styles }) {
  const page = /** @type {Document} */ (markup.cloneNode(true))
  const stage = document.createElement('div')
  stage.id = 'stage'
  stage.setAttribute('part', 'stage')
  for (const id of SHOWN) {
    const element = document.adoptNode(page.getElementById(id))
    element.setAttribute('part', id)
    stage.append(element)
  }
  tree.adoptedStyleSheets = styles
  tree.replaceChildren(stage)
  return { stage, find: (/** @type {string} */ id) => tree.getElementById(id) ?? page.getElementById(id) }
}

/** The page's own document. XMLHttpRequest parses it in any page, whatever it trusts. */
function markup() {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('GET', new URL('index.html', base))
    request.responseType = 'document'
    request.onload = () => (request.response && request.status === 200 ? resolve(request.response) : reject(new Error(`The server responded with ${request.status}.`)))
    request.onerror = () => reject(new Error('The server isn’t responding.'))
    request.send()
  })
}

async function style(name) {
  const response = await fetch(new URL(`css/${name}.css`, base))
  if (!response.ok) throw new Error(`The server responded with ${response.status}.`)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync((await response.text()).replaceAll(':root', ':host'))
  return sheet
}
