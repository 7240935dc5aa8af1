// The surroundings of a gallery: the server's own page, or an element in another page.

/**
 * @typedef {object} GalleryRoom The elements and functions that a gallery needs from its surroundings.
 * @property {(id: string) => HTMLElement} find Returns an element by its id in `index.html`.
 * @property {HTMLElement} root Gets the attributes used by styles: `data-rail`, `data-bar`, `data-connection`, `data-selecting`.
 * @property {EventTarget} surface Receives the gallery's key and pointer events.
 * @property {{matches: boolean, addEventListener: (type: 'change', listener: () => void) => void}} wide Matches if there is room beside
 * the pictures.
 * @property {import('../galleries/current-gallery.js').GalleryChoice} choice Decides which gallery is shown.
 * @property {(token: string) => void} enter Called with the token that a person enters.
 * @property {() => void} [unfilter] Removes the filter. Missing if pictures cannot be filtered.
 * @property {(item: number) => string} address Returns the address that opens a picture in its own tab.
 * @property {(address: string) => EventSource} [source] Opens the event stream of a session; by default an `EventSource`.
 */

export {}
