// The place that a gallery is shown in: the page, or an element of another's.

/**
 * @typedef {object} GalleryRoom Where a gallery is shown, and what it asks of those around it.
 * @property {(id: string) => HTMLElement} find Its elements, by their ids in `index.html`.
 * @property {HTMLElement} root Wears what styles look at: `data-rail`, `data-bar`, `data-connection`, `data-selecting`.
 * @property {EventTarget} surface Hears the keys and the pointer that are meant for the gallery.
 * @property {{matches: boolean, addEventListener: (type: 'change', listener: () => void) => void}} wide Whether there is room beside the pictures.
 * @property {import('../galleries/current-gallery.js').GalleryChoice} choice Which gallery is shown.
 * @property {(token: string) => void} enter Called with the token that a person gives.
 * @property {() => void} [unfilter] Shows all pictures again; left out where a person cannot filter them.
 * @property {(item: number) => string} address Where a picture can be opened in a tab of its own.
 * @property {(address: string) => EventSource} [source] Opens the stream of a session; by default one of its own.
 */

export {}
