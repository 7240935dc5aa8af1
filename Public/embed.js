// A gallery in any page: `<lookahead-gallery src="https://host/" gallery="…">`. This address stays. The server names what it imports
// by its version, and adds all that these import, so that everything is asked for at once. What the element can do stands in
// `js/embed/lookahead-gallery.js`.

export { EmbeddedGallery } from './js/embed/embedded-gallery.js'
export { LookaheadGallery } from './js/embed/lookahead-gallery.js'
export { enter } from './js/session/api.js'
