// What a race is: two sides, a scroll, a network. Held in the address, so that a race can be prepared and linked.

export const RACES = [
  { title: 'An iOS app against Lookahead', sides: ['collection-view', 'lookahead'] },
  { title: 'A web page with lazy images against Lookahead', sides: ['chromium-lazy', 'lookahead'] },
  { title: 'An Android app against Lookahead', sides: ['glide', 'lookahead'] },
  { title: 'A Photos app against Lookahead', sides: ['photo-kit', 'lookahead'] },
  { title: 'A photo server’s page against Lookahead', sides: ['immich', 'lookahead'] },
  { title: 'Lookahead without prefetching against with', sides: ['lookahead:off', 'lookahead'] },
]

/** What a side is called, and how it loads pictures in words that people know. */
const contenders = {
  lookahead: ['Lookahead', 'by the moment each picture is needed'],
  'collection-view': ['Collection view', 'as iOS apps do'],
  'operation-queue': ['Operation queue', 'as many iOS apps do, a task for each cell'],
  'scroll-end': ['Scroll end', 'once the scroll has ended'],
  'chromium-lazy': ['Lazy images', 'as most web pages do'],
  'photo-kit': ['PhotoKit', 'as Apple’s sample of a Photos app does'],
  immich: ['Immich', 'as the page of a photo server does'],
  texture: ['Texture', 'as iOS apps with Texture do'],
  glide: ['Glide', 'as Android apps do'],
  dwell: ['Dwell', 'once a cell has stayed a moment'],
}

/** A side of a race, written `policy` or, without prefetching, `policy:off`. */
export function side(text) {
  const [policy, off] = text.split(':')
  const prefetching = off !== 'off'
  const [name, how] = contenders[policy] ?? [policy, '']
  return { text, policy, prefetching, name: prefetching ? name : `${name}, no prefetching`, how: prefetching ? how : 'only what is in sight' }
}

/** The two sides that the address asks for: `?race=collection-view,lookahead`; null where it asks for none. */
export function sidesInAddress(given) {
  if (given === null) return null
  const texts = given.split(',').map((text) => text.trim()).filter(Boolean)
  return texts.length === 2 ? texts : RACES[0].sides
}
