// The first visit of the demo begins with its story. Shown once per browser, and only after the page's own pictures have loaded.

const SHOWN = 'lookahead-story'
const CHECK = 200 // ms between checks whether the pictures have loaded

/**
 * Whether to show the demo's story: on the first visit if the address has no other parameters, or if the address asks for the story
 * (`?story`). Not on a first visit if the browser is automated (`isDriven`).
 */
export function isStoryDue({ search, isDriven, wasShown }) {
  const parameters = new URLSearchParams(search)
  if (parameters.has('story')) return true
  return !isDriven && !wasShown && [...parameters.keys()].every((name) => name === 'gallery')
}

/**
 * Shows the story if it is due.
 * @param {import('../page/page.js').Page} page
 * @param {Promise<unknown>} loaded resolves when the parts of the page have loaded.
 */
export async function showStory(page, loaded) {
  if (!isStoryDue({ search: location.search, isDriven: navigator.webdriver, wasShown: wasShown() })) return
  const hand = firstAct()
  await loaded
  while (!hand.aborted && (document.hidden || !isShown(page))) await new Promise((resolve) => setTimeout(resolve, CHECK))
  await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve))
  const { base } = page.state
  if (base?.source !== 'demo') return
  remember()
  if (hand.aborted || document.querySelector('dialog[open]')) return // do not interrupt the person
  const { Story } = await import('./story.js')
  await new Story(document.getElementById('story'), () => page.keyboard.focus(page.keyboard.active)).run(base)
}

/** Whether the first pictures have loaded, or the gallery is not the demo's. */
function isShown({ pageLayout, state, visible }) {
  if (!state.base || !pageLayout.layout) return false
  return state.base.source !== 'demo' || !state.thumbnails.lacking(visible).length
}

/** Returns a signal that is aborted at the person's first input. */
function firstAct() {
  const acted = new AbortController()
  const { signal } = acted
  for (const type of ['pointerdown', 'keydown', 'wheel']) addEventListener(type, () => acted.abort(), { capture: true, passive: true, signal })
  return signal
}

function wasShown() {
  try {
    return localStorage.getItem(SHOWN) !== null
  } catch {
    return true // no storage: the story would be shown on every visit
  }
}

function remember() {
  try {
    localStorage.setItem(SHOWN, 'told')
  } catch {
    // Without storage, `wasShown()` prevents the story.
  }
}
