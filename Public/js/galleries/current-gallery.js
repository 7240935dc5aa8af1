// The gallery on show: chosen when a session is asked for, and again whenever its items have changed.

import { frameGallery, opening, openingAnchor } from '../boot.js'
import { placeInAddress } from '../page/address-bar.js'
import { chosenGallery, isSame, letChoose } from './selection.js'
import { FilesNotShown, sentenceOnFilesNotShown } from './files-not-shown.js'

export class CurrentGallery {
  #page
  #notShown = new FilesNotShown((id) => document.getElementById(id))

  /** @param {import('../page/page.js').Page} page */
  constructor(page) {
    this.#page = page
  }

  /** Puts the gallery that the address names on the page, as it is now. Throws where there is none, or several. */
  async choose() {
    const { state, session, notice, scrubber, pageLayout, lazy } = this.#page
    const { gallery } = state
    const found = opening?.takeGallery() ?? (await chosenGallery(gallery).catch((error) => letChoose(error, document.getElementById('start'), session.connection)))
    if (gallery && isSame(gallery, found)) return
    const place = gallery ? await this.#relocated(found) : placeInAddress(found.itemCount)
    state.show(found)
    frameGallery(found)
    this.#notShown.show(found.notShown ?? [])
    notice.empty(found.itemCount === 0, sentenceOnFilesNotShown(found.notShown ?? []))
    scrubber.begin(found.sections)
    pageLayout.begin(found, place)
    state.opensAt = gallery ? null : openingAnchor(found.itemCount, pageLayout.options)
    lazy.viewer.now?.begin(found, state.items)
  }

  /** Where to stand in the gallery as it is now: the picture that was looked at stays where it is. */
  async #relocated(found) {
    const { state, pageLayout, grid, keyboard, lazy } = this.#page
    const viewer = lazy.viewer.now
    const anchor = pageLayout.anchor()
    const looked = viewer?.isOpen ? viewer.item : anchor?.item ?? 0
    const { relocate } = await import('./relocate.js')
    const now = await relocate({ before: state.gallery, after: found, items: state.items, thumbnails: state.thumbnails, item: looked })
    const shift = now - looked
    grid.forget()
    keyboard.active = Math.min(Math.max(0, keyboard.active + shift), Math.max(0, found.itemCount - 1))
    viewer?.shift(shift)
    return anchor && { ...anchor, item: anchor.item + shift }
  }
}
