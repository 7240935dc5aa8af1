// Chooses the gallery and its arrangement by the page's address.

import { arrangementIn, parametersOf, PLAIN } from '../arrange/arrangement.js'
import { turn } from '../arrange/date-turn.js'
import { frameGallery, opening, openingAnchor } from '../boot.js'
import { chosenGallery, offerChoice } from '../galleries/chosen-gallery.js'
import { FilesNotShown } from '../galleries/files-not-shown.js'
import { findPicture } from '../galleries/items.js'
import { arrangingParameters, pictureInAddress, placeInAddress, renumberPlace, setParameters } from './address-bar.js'

const byId = (id) => document.getElementById(id)

/**
 * `disconnect()` closes the connection while a person has to choose a gallery. `isMoved()` returns whether the person has scrolled or
 * opened a picture. `offer(isOffered)` shows or hides the offer of the gallery's default arrangement. Call `chosen()` of the result when
 * the person has chosen an arrangement or declined the offer.
 * @returns {import('../galleries/current-gallery.js').GalleryChoice & {chosen: () => void}}
 */
export function addressChoice({ disconnect, isMoved, offer }) {
  const notShown = new FilesNotShown(byId)
  let begun = '' // id of the opened gallery
  let isChosen = false // whether the person chose its arrangement
  return {
    async wanted(current) {
      const embedded = opening?.takeGallery()
      if (embedded?.gallery) return embedded
      return { gallery: await chosenGallery(current).catch((error) => offerChoice(error, byId('start'), { close: disconnect })) }
    },
    arrangement(base) {
      const usual = base.defaultArrangement
      const isFirst = begun !== base.id
      if (isFirst) [begun, isChosen] = [base.id, false]
      const next = turn({ usual, isFirst, isNamed: arrangingParameters().length > 0, isChosen, isMoved: isMoved() })
      if (next === 'take') setParameters(parametersOf({ filter: {}, ...usual }, base)) // so that a copied link includes the arrangement
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
