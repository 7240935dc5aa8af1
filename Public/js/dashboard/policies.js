// What the policies are called where a person chooses one: by what people know that loads pictures so.

const titles = {
  lookahead: 'Lookahead',
  'collection-view': 'As iOS collection views do',
  'operation-queue': 'As many iOS apps do, one operation a cell',
  'scroll-end': 'Once the scroll has ended',
  'chromium-lazy': 'As most web pages do (lazy images)',
  'photo-kit': 'As Apple’s sample of a Photos app does (PhotoKit)',
  immich: 'As Immich does',
  texture: 'As Texture does (iOS)',
  glide: 'As Android apps do (Glide)',
  dwell: 'Once a cell has stayed a moment',
}

/** The title of a policy; its name where it has none. */
export const policyTitle = (name) => titles[name] ?? name
