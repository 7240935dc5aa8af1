// The gallery that the address of the page names, and what the page says of it.

import { arrangementIn, parametersOf, PLAIN } from '../arrange/arrangement.js'
import { turn } from '../arrange/date-turn.js'
import { frameGallery, opening, openingAnchor } from '../boot.js'
import { chosenGallery, letChoose } from '../galleries/chosen-gallery.js'
import { FilesNotShown } from '../galleries/files-not-shown.js'
import { findPicture } from '../galleries/items.js'
import { arrangingParameters, pictureInAddress, placeInAddress, renumberPlace, setParameters } from './address-bar.js'

const byId = (id) => document.getElementById(id)

/**
 * `letGo()` closes the connection where a person has to choose first; `isMoved()` tells whether the person has gone somewhere in
 * the gallery; `offer(isOffered)` offers the order that it is best shown in. `chosen()` is to be called when the person has
 * arranged it, or declined.
 * @returns {import('../galleries/current-gallery.js').GalleryChoice & {chosen: () => void}}
 */
export function addressChoice({ letGo, isMoved, offer }) {
  const notShown = new FilesNotShown(byId)
  let begun = '' // the id of the gallery that has been opened
  let isChosen = false // its arrangement is the person's
  return {
    async wanted(current) {
      const came = opening?.takeGallery()
      if (came?.gallery) return came
      return { gallery: await chosenGallery(current).catch((error) => letChoose(error, byId('start'), { close: letGo })) }
    },
    arrangement(base) {
      const usual = base.defaultArrangement
      const isFirst = begun !== base.id
      if (isFirst) [begun, isChosen] = [base.id, false]
      const next = turn({ usual, isFirst, isNamed: arrangingParameters().length > 0, isChosen, isMoved: isMoved() })
      if (next === 'take') setParameters(parametersOf({ filter: {}, ...usual }, base)) // so that a link says what it shows
      offer(next === 'offer')
      return arrangementIn(new URLSearchParams(location.search))
    },
    chosen() {
      isChosen = true
      offer(false)
    },
    async find(found) {
      const named = pictureInAddress('item')
      const item = named?.id ? await findPicture(found, named) : null
      if (item !== null && item !== named.item) renumberPlace(item, named.id)
    },
    place: placeInAddress,
    opensAt: openingAnchor,
    keepPlain: (base) => setParameters(parametersOf(PLAIN, base)),
    show(found, base) {
      frameGallery(found, base)
      notShown.show(base)
    },
  }
}
