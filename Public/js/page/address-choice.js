// The gallery that the address of the page names, and what the page says of it.

import { arrangementIn, parametersOf, PLAIN } from '../arrange/arrangement.js'
import { frameGallery, opening, openingAnchor } from '../boot.js'
import { chosenGallery, letChoose } from '../galleries/chosen-gallery.js'
import { FilesNotShown } from '../galleries/files-not-shown.js'
import { arrangingParameters, placeInAddress, setParameters } from './address-bar.js'

const byId = (id) => document.getElementById(id)

/**
 * `letGo()` closes the connection where a person has to choose first.
 * @returns {import('../galleries/current-gallery.js').GalleryChoice}
 */
export function addressChoice({ letGo }) {
  const notShown = new FilesNotShown(byId)
  let begun = '' // the id of the gallery that has been opened, whose arrangement is the person's from then on
  return {
    async wanted(current) {
      const came = opening?.takeGallery()
      if (came?.gallery) return came
      return { gallery: await chosenGallery(current).catch((error) => letChoose(error, byId('start'), { close: letGo })) }
    },
    arrangement(base) {
      const usual = begun === base.id || arrangingParameters().length ? null : base.defaultArrangement
      begun = base.id
      if (usual) setParameters(parametersOf({ filter: {}, ...usual }, base)) // so that a link says what it shows
      return arrangementIn(new URLSearchParams(location.search))
    },
    place: placeInAddress,
    opensAt: openingAnchor,
    keepPlain: (base) => setParameters(parametersOf(PLAIN, base)),
    show(found, base) {
      frameGallery(found, base)
      notShown.show(base.notShown ?? [])
    },
  }
}
