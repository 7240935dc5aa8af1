// The open picture in the page's address. Each picture has its own address. Back closes the viewer.

import { pictureInAddress, pictureParameters, setParameters } from '../page/address-bar.js'

/**
 * @typedef {object} ViewerHistory
 * @property {() => {item: number, id: string | null} | null} picture Returns the picture in the address, or null.
 * @property {(item: number | null, id?: string) => void} write Writes the picture to the address, or removes it. `id` is its id, if known.
 * @property {(item: number, id?: string) => void} push Adds a history entry. Back then leads to the page without the viewer.
 * @property {() => boolean} back Goes back to the entry before the viewer. Returns false if there is none.
 * @property {(changed: () => void) => void} listen Sets the function to call when the person goes back or forward.
 */

/** @type {ViewerHistory} */
export const addressHistory = {
  picture: () => pictureInAddress('view'),
  write: (item, id) => setParameters(pictureParameters('view', item, id)),
  push: (item, id) => setParameters(pictureParameters('view', item, id), { push: true, state: { viewer: true } }),
  back() {
    const isOurs = Boolean(history.state?.viewer)
    if (isOurs) history.back()
    return isOurs
  },
  listen: (changed) => addEventListener('popstate', changed),
}

/**
 * For a viewer embedded in another site's page, whose address is not ours.
 * @type {ViewerHistory}
 */
export const noHistory = { picture: () => null, write() {}, push() {}, back: () => false, listen() {} }
