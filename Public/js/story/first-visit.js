// A first visit of the demo begins with its story: once in a browser, and not while the page's own pictures are on their way.

const TOLD = 'lookahead-story'
const LOOK = 200 // ms between two looks whether the pictures are there

/**
 * Whether the demo tells its story: at the first visit by an address that asks for nothing else, or where it asks for it
 * (`?story`). A browser that a driver moves (`isDriven`) is no visitor.
 */
export function isStoryDue({ search, isDriven, isTold }) {
  const asked = new URLSearchParams(search)
  if (asked.has('story')) return true
  return !isDriven && !isTold && [...asked.keys()].every((name) => name === 'gallery')
}

/**
 * Tells the story where it is due; `loaded` resolves when the parts of the page are there.
 * @param {import('../page/page.js').Page} page
 * @param {Promise<unknown>} loaded
 */
export async function showStory(page, loaded) {
  if (!isStoryDue({ search: location.search, isDriven: navigator.webdriver, isTold: isTold() })) return
  const hand = firstAct()
  await loaded
  while (!hand.aborted && (document.hidden || !isShown(page))) await new Promise((resolve) => setTimeout(resolve, LOOK))
  await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve))
  const { base } = page.state
  if (base?.source !== 'demo') return
  remember()
  if (hand.aborted || document.querySelector('dialog[open]')) return // the person is at something already
  const { Story } = await import('./story.js')
  await new Story(document.getElementById('story'), () => page.keyboard.focus(page.keyboard.active)).tell(base)
}

/** Whether the page shows its first pictures, or they are not the demo's. */
function isShown({ pageLayout, state, visible }) {
  if (!state.base || !pageLayout.layout) return false
  return state.base.source !== 'demo' || !state.thumbnails.lacking(visible).length
}

/** Aborted as soon as the person does anything. */
function firstAct() {
  const acted = new AbortController()
  const { signal } = acted
  for (const type of ['pointerdown', 'keydown', 'wheel']) addEventListener(type, () => acted.abort(), { capture: true, passive: true, signal })
  return signal
}

function isTold() {
  try {
    return localStorage.getItem(TOLD) !== null
  } catch {
    return true // it could not be remembered
  }
}

function remember() {
  try {
    localStorage.setItem(TOLD, 'told')
  } catch {
    // Then it was not told either.
  }
}
