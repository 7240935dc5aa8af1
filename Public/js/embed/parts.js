// Elements and style sheets for a gallery in a shadow tree, taken from the server's own page. The host page needs no style or script
// for them.

import { withoutCredentials } from '../page/address-bar.js'

const STYLES = ['embed', 'theme', 'controls', 'page', 'grid', 'notes', 'scrubber', 'select', 'viewer', 'print']
const SHOWN = ['selected', 'scroller', 'stuck', 'scrubber', 'note', 'notice', 'announcements', 'viewer', 'print']
const base = withoutCredentials(new URL('../../', import.meta.url))

/** @type {Promise<{markup: Document, styles: CSSStyleSheet[]}> | null} */
let loading = null

/** Loads the markup and the style sheets, once for all elements of a page. The next call tries again after a failure. */
export function loadParts() {
  loading ??= Promise.all([markup(), Promise.all(STYLES.map(style))]).then(([markup, styles]) => ({ markup, styles }), (error) => {
    loading = null
    throw error
  })
  return loading
}

/**
 * Puts a gallery's elements and styles into a shadow tree. Returns the element that contains them (`stage`), and a function that finds
 * an element by its id (`find`). It also finds elements of the page that the shadow tree does not show.
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

/** Resolves to the document of the server's page. XMLHttpRequest parses it even if the host page requires Trusted Types. */
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
