// The gallery on show. Chosen when a session is requested, and again whenever its items or its arrangement change.

import { isSame as isSameArrangement, PLAIN } from '../arrange/arrangement.js'
import { post } from '../session/api.js'
import { isSame } from './chosen-gallery.js'
import { sentenceOnFilesNotShown } from './files-not-shown.js'

/**
 * @typedef {object} GalleryChoice Decides which gallery is shown, and how.
 * @property {(current: any) => Promise<{gallery: any, arranged?: any}>} wanted Requests the gallery to show; `current` is on show now.
 * Resolves also to its default arrangement if that is embedded in the document. Rejects if there is none, or a person has to choose.
 * @property {(base: any) => import('../arrange/arrangement.js').Arrangement} arrangement Returns the arrangement for a gallery.
 * @property {(found: any) => Promise<void>} find Looks up the picture id in the address, so that `place` returns its current number.
 * @property {(itemCount: number) => ({item: number, fraction?: number, at?: number} | null)} place Returns the position at which the
 * gallery opens; null for the beginning.
 * @property {(itemCount: number, options: any) => any} opensAt Returns the same position as an anchor for the server.
 * @property {(found: any, base: any) => void} show Called with the gallery on show.
 * @property {(base: any) => void} keepPlain Called if the server refused the arrangement and the gallery is shown in its own order.
 */

export class CurrentGallery {
  #view
  #choice
  #turn = 0 // increases with every choice, so that an outdated one changes nothing

  /**
   * @param {import('../gallery/gallery-view.js').GalleryView} view
   * @param {GalleryChoice} choice
   */
  constructor(view, choice) {
    this.#view = view
    this.#choice = choice
  }

  /**
   * Requests the gallery to show and puts its current state on the page. Throws if there is none, or a person has to choose. If called
   * again before it is done, only the last call changes the page.
   */
  async choose() {
    const turn = ++this.#turn
    const { state, notice, scrubber, pageLayout, lazy, session } = this.#view
    const { gallery: former } = state
    const { gallery, arranged } = await this.#choice.wanted(state.base)
    const found = await this.#arranged(gallery, arranged)
    const isSameSource = former && (former.of ?? former.id) === (found.of ?? found.id)
    if (former?.id !== found.id) await this.#choice.find(found)
    const wished = former?.id === found.id ? null : this.#choice.place(found.itemCount)
    const isMoved = isSameSource && !wished && !isSame(former, found)
    const move = isMoved ? await this.#relocation(found) : null
    if (turn !== this.#turn) return
    state.base = gallery
    if (former && isSame(former, found)) return
    const place = move ? move() : wished
    if (former && !move) this.#forget() // on the first call, the pictures already received belong to this gallery
    state.show(found, gallery)
    this.#choice.show(found, gallery)
    notice.empty(emptiness(found, gallery, this.#choice.arrangement(gallery).filter.text))
    scrubber.begin(found)
    pageLayout.kind = session.controls.layoutOf?.(gallery) ?? pageLayout.kind
    pageLayout.begin(found, place)
    state.opensAt = wished ? this.#choice.opensAt(found.itemCount, pageLayout.options) : null
    lazy.viewer.now?.begin(found, state.items)
    this.#view.begun()
    if (move) this.#view.renumbered()
  }

  /**
   * Resolves to the gallery in its arrangement, or to `base` if there is no arrangement or the server refuses it. `embedded` is the
   * default arrangement if it is embedded in the document.
   */
  async #arranged(base, embedded) {
    const arrangement = this.#choice.arrangement(base)
    if (isSameArrangement(arrangement, PLAIN)) return base
    if (embedded) return embedded
    try {
      return await post('api/v1/galleries', { of: base.of ?? base.id, ...arrangement })
    } catch (error) {
      if (error.status < 400 || error.status >= 500 || [401, 403, 429].includes(error.status)) throw error
      this.#choice.keepPlain(base)
      this.#view.notify(`Shown in the default order: ${error.message}`)
      return base
    }
  }

  /** Drops the state of the former gallery's items. */
  #forget() {
    const { state, grid, keyboard, lazy } = this.#view
    lazy.selection.now?.clear()
    state.thumbnails.clear()
    state.placeholders.clear()
    grid.forget()
    keyboard.active = 0
  }

  /**
   * Finds the scroll position in the changed gallery at which the current picture stays in place. Resolves to a function that moves all
   * state to the new item numbers and returns the position. null means the beginning: if the page was there before, or the filter is
   * another one.
   */
  async #relocation(found) {
    const { state, pageLayout, grid, keyboard, lazy } = this.#view
    const viewer = lazy.viewer.now
    const anchor = pageLayout.anchor()
    const viewed = viewer?.isOpen ? viewer.item : anchor?.item ?? 0
    const { relocation } = await import('./relocation.js')
    const { gallery: before, thumbnails, placeholders, items } = state
    const { item: now, move } = await relocation({
      before, after: found, thumbnails, placeholders, grid, items, selection: lazy.selection.now, item: viewed, seen: pageLayout.visible(),
    })
    return () => {
      move()
      keyboard.active = Math.min(Math.max(0, keyboard.active + now - viewed), Math.max(0, found.itemCount - 1))
      viewer?.shift(now - viewed)
      const isAnotherSearch = filterOf(found) !== '{}' && filterOf(found) !== filterOf(before)
      return anchor && !isAnotherSearch ? { ...anchor, item: anchor.item + now - viewed } : null
    }
  }
}

const filterOf = ({ arrangement }) => JSON.stringify(arrangement?.filter ?? {})

/** Returns why there are no pictures, `{kind, detail}`; null if there are some. */
function emptiness(found, base, text) {
  if (found.itemCount) return null
  if (!base.itemCount) return { kind: 'empty', detail: sentenceOnFilesNotShown(base) }
  return { kind: 'nothingFound', detail: text ? `No name, folder, camera, lens or date matches “${text}”.` : '' }
}
