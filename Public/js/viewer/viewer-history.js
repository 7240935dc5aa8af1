// Which picture is open, as the address of the page says: each has its own, and Back closes the viewer.

import { parameter, setParameters } from '../page/address-bar.js'

/**
 * @typedef {object} ViewerHistory
 * @property {() => number} item The picture that is to be open, NaN for none.
 * @property {(item: number | null) => void} write Another is open, or none.
 * @property {(item: number) => void} push One is opened: Back leads to where none was.
 * @property {() => boolean} back Goes back to where none was, of which `changed` then tells; false where there is no such place.
 * @property {(changed: () => void) => void} listen
 */

/** @type {ViewerHistory} */
export const addressHistory = {
  item: () => (parameter('view') === null ? NaN : Number(parameter('view'))),
  write: (item) => setParameters({ view: item }),
  push: (item) => setParameters({ view: item }, { push: true, state: { viewer: true } }),
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
export const noHistory = { item: () => NaN, write() {}, push() {}, back: () => false, listen() {} }
