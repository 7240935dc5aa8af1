// The names of policies in menus and races: well-known kinds of programs that load pictures in the same manner.

const titles = {
  lookahead: 'Lookahead',
  'collection-view': 'iOS app',
  'operation-queue': 'iOS app (one task per cell)',
  'scroll-end': 'Loading after a scroll',
  'chromium-lazy': 'Web page (lazy images)',
  'photo-kit': 'iOS app (PhotoKit)',
  immich: 'Immich web page',
  texture: 'iOS app (Texture)',
  glide: 'Android app',
  dwell: 'Loading after a moment',
}

/** Policies that a simulation can use: names and titles. */
export const POLICIES = [...Object.entries(titles), ['oracle', 'Perfect foresight']]

export const policyTitle = (name) => titles[name] ?? name
