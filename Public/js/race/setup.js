// A race: two sides, a scroll, a network. Held in the address, so that a race can be prepared and linked.

import { layoutOptions } from '../layout/layout-options.js'

export const RACES = [
  { title: 'iOS app vs. Lookahead', sides: ['collection-view', 'lookahead'] },
  { title: 'Web page with lazy images vs. Lookahead', sides: ['chromium-lazy', 'lookahead'] },
  { title: 'Android app vs. Lookahead', sides: ['glide', 'lookahead'] },
  { title: 'Photos app vs. Lookahead', sides: ['photo-kit', 'lookahead'] },
  { title: 'Photo server’s web page vs. Lookahead', sides: ['immich', 'lookahead'] },
  { title: 'Lookahead: prefetching off vs. on', sides: ['lookahead:off', 'lookahead'] },
]

/** The name of a side, and how it loads pictures in words that people know. */
const contenders = {
  lookahead: ['Lookahead', 'Fetches in the order you’ll see them'],
  'collection-view': ['Collection view', 'Loads as iOS apps do'],
  'operation-queue': ['Operation queue', 'Loads as many iOS apps do, one task per cell'],
  'scroll-end': ['Scroll end', 'Fetches once scrolling has stopped'],
  'chromium-lazy': ['Lazy images', 'Loads as most web pages do'],
  'photo-kit': ['PhotoKit', 'Loads as Apple’s sample photo app does'],
  immich: ['Immich', 'Loads as Immich’s web page does'],
  texture: ['Texture', 'Loads as iOS apps built with Texture do'],
  glide: ['Glide', 'Loads as Android apps do'],
  dwell: ['Dwell', 'Fetches cells that stay in view for a moment'],
}

/** A side of a race, written `policy` or, without prefetching, `policy:off`. */
export function side(text) {
  const [policy, off] = text.split(':')
  const prefetching = off !== 'off'
  const [name, how] = contenders[policy] ?? [policy, '']
  return { text, policy, prefetching, name: prefetching ? name : `${name}, prefetching off`, how: prefetching ? how : 'Fetches only what is in view' }
}

const CELLS = 25 // in view

/**
 * A grid with the same number of cells in view in every window: a scroll by rows then needs as many pictures a second. The
 * cells are stretched to it. Takes the size of a pane in px.
 */
export function paneLayout(width, height) {
  const usual = layoutOptions({ width, titled: false })
  const { lineSpacing, interitemSpacing, sectionInset } = usual
  const columns = width > 1.5 * height ? 6 : 5
  const available = width - sectionInset.left - sectionInset.right - (columns - 1) * interitemSpacing
  // Rounded down to a 64th of a pixel, a browser's own unit: rounded up, the last column would not fit.
  const itemWidth = Math.max(1, Math.floor((available / columns) * 64) / 64)
  const itemHeight = Math.max(1, Math.round((height * columns) / CELLS - lineSpacing))
  return { ...usual, itemWidth, itemHeight }
}

/** The two sides that the address asks for: `?race=collection-view,lookahead`; null where it asks for none. */
export function sidesInAddress(given) {
  if (given === null) return null
  const texts = given.split(',').map((text) => text.trim()).filter(Boolean)
  return texts.length === 2 ? texts : RACES[0].sides
}
