// The gallery on show: chosen when a session is asked for, and again whenever its items or its arrangement have changed.

import { isSame as isSameArrangement, PLAIN } from '../arrange/arrangement.js'
import { post } from '../session/api.js'
import { isSame } from './chosen-gallery.js'
import { sentenceOnFilesNotShown } from './files-not-shown.js'

/**
 * @typedef {object} GalleryChoice Which gallery is wanted, and what becomes of it.
 * @property {(current: any) => Promise<{gallery: any, arranged?: any}>} wanted The gallery as it is now, where `current` is on show, and
 * its default arrangement where that came along; rejects where there is none, or a person has to choose.
 * @property {(base: any) => import('../arrange/arrangement.js').Arrangement} arrangement The one to show a gallery in.
 * @property {(found: any) => Promise<void>} find Finds the place that it names by a picture's id, before `place` is asked.
 * @property {(itemCount: number) => ({item: number, fraction?: number, at?: number} | null)} place Where to open it; null for the beginning.
 * @property {(itemCount: number, options: any) => any} opensAt The same as an anchor that the server takes.
 * @property {(found: any, base: any) => void} show Says what is on show from now on.
 * @property {(base: any) => void} keepPlain The server does not arrange it so: it is shown as it is.
 */

export class CurrentGallery {
  #view
  #choice
  #turn = 0 // rises with every choice, so that one that was overtaken changes nothing

  /**
   * @param {import('../gallery/gallery-view.js').GalleryView} view
   * @param {GalleryChoice} choice
   */
  constructor(view, choice) {
    this.#view = view
    this.#choice = choice
  }

  /**
   * Puts the gallery that is wanted in place, as it is now. Throws where there is none, or several. Changes nothing where it is called
   * again before it is done: the last one has the newest.
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
    if (former && !move) this.#forget() // at first, what has come already is of this gallery
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
   * The gallery in the arrangement that is wanted; as it is where it asks for none, or the server has none such. `came`: the
   * default arrangement, where it came with the document.
   */
  async #arranged(base, came) {
    const arrangement = this.#choice.arrangement(base)
    if (isSameArrangement(arrangement, PLAIN)) return base
    if (came) return came
    try {
      return await post('api/v1/galleries', { of: base.of ?? base.id, ...arrangement })
    } catch (error) {
      if (error.status < 400 || error.status >= 500 || [401, 403, 429].includes(error.status)) throw error
      this.#choice.keepPlain(base)
      this.#view.tell(`Shown in the default order: ${error.message}`)
      return base
    }
  }

  /** Drops the state of another gallery's items. */
  #forget() {
    const { state, grid, keyboard, lazy } = this.#view
    lazy.selection.now?.clear()
    state.thumbnails.clear()
    state.placeholders.clear()
    grid.forget()
    keyboard.active = 0
  }

  /**
   * Finds where to stand in the gallery as it is now: the picture that was looked at stays where it is. At the beginning, or among
   * other pictures than before (another filter), that is the beginning. Resolves to what goes there, and returns the place.
   */
  async #relocation(found) {
    const { state, pageLayout, grid, keyboard, lazy } = this.#view
    const viewer = lazy.viewer.now
    const anchor = pageLayout.anchor()
    const looked = viewer?.isOpen ? viewer.item : anchor?.item ?? 0
    const { relocation } = await import('./relocation.js')
    const { gallery: before, thumbnails, placeholders, items } = state
    const { item: now, move } = await relocation({
      before, after: found, thumbnails, placeholders, grid, items, selection: lazy.selection.now, item: looked, seen: pageLayout.visible(),
    })
    return () => {
      move()
      keyboard.active = Math.min(Math.max(0, keyboard.active + now - looked), Math.max(0, found.itemCount - 1))
      viewer?.shift(now - looked)
      const isAnotherSearch = filterOf(found) !== '{}' && filterOf(found) !== filterOf(before)
      return anchor && !isAnotherSearch ? { ...anchor, item: anchor.item + now - looked } : null
    }
  }
}

const filterOf = ({ arrangement }) => JSON.stringify(arrangement?.filter ?? {})

/** Why there is nothing to see: `{kind, detail}`; null where there is. */
function emptiness(found, base, text) {
  if (found.itemCount) return null
  if (!base.itemCount) return { kind: 'empty', detail: sentenceOnFilesNotShown(base) }
  return { kind: 'nothingFound', detail: text ? `No name, folder, camera, lens or date matches “${text}”.` : '' }
}
