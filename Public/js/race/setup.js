// What a race is: two sides, a scroll, a network. Held in the address, so that a race can be prepared and linked.

export const RACES = [
  { title: 'Collection view against Lookahead', sides: ['collection-view', 'lookahead'] },
  { title: 'Chromium’s lazy loading against Lookahead', sides: ['chromium-lazy', 'lookahead'] },
  { title: 'Prefetching off against on', sides: ['lookahead:off', 'lookahead'] },
  { title: 'Operation queue against Lookahead', sides: ['operation-queue', 'lookahead'] },
  { title: 'Prefetch at scroll end against Lookahead', sides: ['scroll-end', 'lookahead'] },
  { title: 'Immich’s way against Lookahead', sides: ['immich', 'lookahead'] },
]

const names = {
  lookahead: 'Lookahead', 'collection-view': 'Collection view', 'operation-queue': 'Operation queue', 'scroll-end': 'Scroll end',
  'chromium-lazy': 'Chromium lazy', immich: 'Immich', texture: 'Texture', glide: 'Glide', dwell: 'Dwell',
}

/** A side of a race, written `policy` or, without prefetching, `policy:off`. */
export function side(text) {
  const [policy, off] = text.split(':')
  const prefetching = off !== 'off'
  const name = names[policy] ?? policy
  return { text, policy, prefetching, name: prefetching ? name : `${name}, no prefetching` }
}

/** The two sides that the address asks for: `?race=collection-view,lookahead`; null where it asks for none. */
export function sidesInAddress(given) {
  if (given === null) return null
  const texts = given.split(',').map((text) => text.trim()).filter(Boolean)
  return texts.length === 2 ? texts : RACES[0].sides
}
