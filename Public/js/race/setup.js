// The setup of a race: two sides and the layout of their panes. The address stores the sides, so that a race can be prepared and linked.

import { policyTitle } from '../dashboard/policies.js'
import { layoutOptions } from '../layout/layout-options.js'

/** How each policy loads pictures, as text. */
const descriptions = {
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

/** Policies that show the ThumbHash of a picture until the picture has loaded, like the programs they imitate. */
export const BLURRING = new Set(['lookahead', 'immich'])

export const RACES = [
  ['collection-view', 'lookahead'],
  ['chromium-lazy', 'lookahead'],
  ['glide', 'lookahead'],
  ['photo-kit', 'lookahead'],
  ['immich', 'lookahead'],
  ['lookahead:off', 'lookahead'],
].map((sides) => ({ title: sides.map((text) => side(text).name).join(' vs. '), sides }))

/** Parses a side of a race: `policy`, or `policy:off` without prefetching. */
export function side(text) {
  const [policy, off] = text.split(':')
  const prefetching = off !== 'off'
  const name = policyTitle(policy)
  return { text, policy, prefetching, name: prefetching ? name : `${name}, prefetching off`, how: prefetching ? (descriptions[policy] ?? '') : 'Fetches only what is in view' }
}

const CELLS = 25 // visible cells

/**
 * Returns a grid layout for a pane, given its size in px. Every window shows the same number of cells, stretched to fit. A scroll by rows
 * therefore needs the same number of pictures per second.
 */
export function paneLayout(width, height) {
  const usual = layoutOptions({ width, titled: false })
  const { lineSpacing, interitemSpacing, sectionInset } = usual
  const columns = width > 1.5 * height ? 6 : 5
  const available = width - sectionInset.left - sectionInset.right - (columns - 1) * interitemSpacing
  // Rounded down to 1/64 px, the browser's unit. Rounded up, the last column would not fit.
  const itemWidth = Math.max(1, Math.floor((available / columns) * 64) / 64)
  const itemHeight = Math.max(1, Math.round((height * columns) / CELLS - lineSpacing))
  return { ...usual, itemWidth, itemHeight }
}

/** Parses the two sides in the address: `?race=collection-view,lookahead`. Null if there is no race in the address. */
export function sidesInAddress(given) {
  if (given === null) return null
  const texts = given.split(',').map((text) => text.trim()).filter(Boolean)
  return texts.length === 2 ? texts : RACES[0].sides
}
