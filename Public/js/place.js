// Where the person was: in the address, so that a reload and a link lead back there.

import { parameter, setParameters } from './address-bar.js'

/** The place the address names, as an anchor of the layout; null for the beginning. */
export function placeInAddress(itemCount) {
  const given = parameter('item')
  const item = Number(given)
  if (given === null || !Number.isInteger(item) || item < 0 || item >= itemCount) return null
  const exact = history.state?.place
  return exact?.item === item ? exact : { item }
}

/** Writes the place down; null is the beginning. */
export function rememberPlace(anchor) {
  const place = anchor && { item: anchor.item, fraction: anchor.fraction, at: anchor.at }
  setParameters({ item: place ? place.item : null }, { state: { ...history.state, place } })
}
