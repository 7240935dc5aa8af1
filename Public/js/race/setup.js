// A race: two sides, a scroll, a network. Held in the address, so that a race can be prepared and linked.

import { policyTitle } from '../dashboard/policies.js'
import { layoutOptions } from '../layout/layout-options.js'

/** How a side loads pictures, in words that people know. */
const ways = {
  lookahead: 'Fetches in the order you’ll see them',
  'collection-view': 'Loads as iOS apps do',
  'operation-queue': 'Loads as many iOS apps do, one task per cell',
  'scroll-end': 'Fetches once scrolling has stopped',
  'chromium-lazy': 'Loads as web pages with lazy images do',
  'photo-kit': 'Loads as Apple’s PhotoKit sample does',
  immich: 'Loads as Immich’s web page does, blurs included',
  texture: 'Loads as iOS apps built with Texture do',
  glide: 'Loads as Android apps built with Glide do',
  dwell: 'Fetches cells that stay in view for a moment',
}

/** Policies whose namesakes show a ThumbHash of a picture until it comes. */
export const BLURRING = new Set(['lookahead', 'immich'])

/** The ready-made races, by their sides. */
export const RACES = [
  ['collection-view', 'lookahead'],
  ['chromium-lazy', 'lookahead'],
  ['glide', 'lookahead'],
  ['photo-kit', 'lookahead'],
  ['immich', 'lookahead'],
  ['lookahead:off', 'lookahead'],
].map((sides) => ({ title: sides.map((text) => side(text).name).join(' vs. '), sides }))

/** A side of a race, written `policy` or, without prefetching, `policy:off`. */
export function side(text) {
  const [policy, off] = text.split(':')
  const prefetching = off !== 'off'
  const name = policyTitle(policy)
  return { text, policy, prefetching, name: prefetching ? name : `${name}, prefetching off`, how: prefetching ? (ways[policy] ?? '') : 'Fetches only what is in view' }
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
