// Which picture is open, as the address of the page says: each has its own, and Back closes the viewer.

import { pictureInAddress, pictureParameters, setParameters } from '../page/address-bar.js'

/**
 * @typedef {object} ViewerHistory
 * @property {() => {item: number, id: string | null} | null} picture The picture that is to be open.
 * @property {(item: number | null, id?: string) => void} write Another picture is open, or none. `id` is what it is, if known.
 * @property {(item: number, id?: string) => void} push A picture is opened: Back leads to where none was.
 * @property {() => boolean} back Goes back to where none was, of which `changed` then tells; false where there is no such place.
 * @property {(changed: () => void) => void} listen
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
 * In a page of someone else's, whose address is not ours.
 * @type {ViewerHistory}
 */
export const noHistory = { picture: () => null, write() {}, push() {}, back: () => false, listen() {} }
