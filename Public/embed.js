// A gallery in any page: `<lookahead-gallery src="https://host/" gallery="…">`. The address of this file never changes. The server
// adds its version to the imported addresses and lists all indirect imports, so that a browser requests all modules at the same time.
// `js/embed/lookahead-gallery.js` documents the element.

export { EmbeddedGallery } from './js/embed/embedded-gallery.js'
export { LookaheadGallery } from './js/embed/lookahead-gallery.js'
export { enter } from './js/session/api.js'
