// The policies' names on the page, in menus and in a race: those of well-known programs that load pictures in this way.

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

/** The title of a policy; its name where it has none. */
export const policyTitle = (name) => titles[name] ?? name
