// The policies' names in the menu: those of well-known programs that load pictures in this way.

const titles = {
  lookahead: 'Lookahead',
  'collection-view': 'iOS collection view',
  'operation-queue': 'Many iOS apps (one operation per cell)',
  'scroll-end': 'Once scrolling has stopped',
  'chromium-lazy': 'Most web pages (lazy images)',
  'photo-kit': 'Apple’s sample photo app (PhotoKit)',
  immich: 'Immich',
  texture: 'Texture (iOS)',
  glide: 'Android apps (Glide)',
  dwell: 'Once a cell stays in view for a moment',
}

/** The title of a policy; its name where it has none. */
export const policyTitle = (name) => titles[name] ?? name
