// Selects pictures by the circle on a cell, by Ctrl or Shift and a click, by a long press and by keys. While pictures are selected, a
// click selects or deselects another one.

import { focused } from '../keys/focused.js'
import { copyText } from '../page/clipboard.js'
import { offers } from '../session/offers.js'
import { ARCHIVE, downloadArchive, originalBytes } from './archive.js'
import { LongPress } from './long-press.js'
import { Ranges, SelectedItems } from './ranges.js'

const LINKS = 1000 // maximum number of copied links
const NAMED = 1000 // maximum number of pictures in an archive request with ids; larger requests use ranges
const TRIES = 3 // maximum number of archive requests while the gallery changes
const MOVED = 10_000 // maximum distance from the first to the last selected picture for looking up new numbers
const PAGE = 1000 // items per request for new numbers
const PAUSE = 300 // ms after a change of the selection until its size is requested

const number = new Intl.NumberFormat('en')
const MOVES = /^(Arrow(Left|Right|Up|Down)|Home|End|Page(Up|Down))$/

export class Selection {
  #page
  #items = new SelectedItems()
  #bar
  #circle = circle()
  #before = 0 // active item of the keyboard before the current key
  #download = null // an AbortController while the page waits for an archive
  #sizeTimer = 0

  /** @param {import('../gallery/gallery-view.js').GalleryView} page */
  constructor(page) {
    this.#page = page
    this.#bar = page.find('selected')
    const layer = page.find('grid')
    const press = new LongPress(layer, (item) => this.#toggle(item))
    layer.addEventListener('click', (event) => (press.hasJustFired ? swallow(event) : this.#clicked(event)), { capture: true })
    layer.addEventListener('pointerover', (event) => this.#pointed(event), { passive: true })
    layer.addEventListener('keydown', (event) => this.#pressed(event), { capture: true })
    layer.addEventListener('keydown', (event) => this.#moved(event))
    page.surface.addEventListener('keydown', (event) => this.#keyDown(event))
    for (const id of ['headers', 'stuck']) page.find(id).addEventListener('click', (event) => this.#sectionClicked(event))
    page.sectionHeaders.titled = (title) => this.#mark(title)
    const actions = { clear: () => this.clear(), links: () => this.#copyLinks(), archive: () => this.#archive() }
    this.#bar.addEventListener('click', (event) => this.#actOn(event, actions))
    page.ended.addEventListener('abort', () => {
      this.#download?.abort()
      clearTimeout(this.#sizeTimer)
    })
    offers(ARCHIVE).then((isOffered) => (this.#button('archive').hidden = !isOffered))
  }

  has(/** @type {number} */ item) {
    return this.#items.ranges.has(item)
  }

  get #count() {
    return this.#items.ranges.count
  }

  clear() {
    if (!this.#count) return
    this.#items.clear()
    this.#show()
  }

  /**
   * Resolves to the selection with the new numbers of its items after a change of the gallery. `places(from, count)` resolves to a map
   * from old to new numbers. If all items were selected, all stay selected. If the selection spans more than `MOVED` items, it is cleared.
   */
  async places(before, after, places) {
    const { ranges } = this.#items
    if (!ranges.count) return new Ranges()
    if (ranges.count === before.itemCount) return new Ranges().adding(0, after.itemCount)
    const [first, last] = [ranges.list[0].from, ranges.list.at(-1).to]
    if (last - first > MOVED) return new Ranges()
    const pages = Array.from({ length: Math.ceil((last - first) / PAGE) }, (_, page) => places(first + page * PAGE, PAGE))
    const found = await Promise.all(pages).catch(() => [])
    return Ranges.of(found.flatMap((page) => [...page].filter(([item]) => ranges.has(item)).map(([, place]) => place)))
  }

  take(/** @type {Ranges} */ ranges) {
    if (!this.#count && !ranges.count) return
    this.#items.take(ranges)
    this.#show()
  }

  #toggle(item) {
    this.#items.toggle(item)
    this.#show()
  }

  #extend(item, from) {
    this.#items.extend(item, from)
    this.#show()
  }

  #actOn({ target }, actions) {
    actions[target.closest('button')?.dataset.action]?.()
  }

  #pointed({ target, pointerType }) {
    const cell = pointerType === 'mouse' && target.closest('.cell')
    if (cell && this.#circle.parentNode !== cell) cell.append(this.#circle)
  }

  #clicked(event) {
    const cell = event.target.closest('.cell')
    if (!cell || event.altKey) return
    const item = Number(cell.dataset.item)
    const isOne = event.target.closest('.pick') || event.ctrlKey || event.metaKey
    if (!isOne && !event.shiftKey && !this.#count) return
    swallow(event)
    cell.focus({ preventScroll: true })
    if (event.shiftKey) this.#extend(item)
    else this.#toggle(item)
  }

  /** While pictures are selected, a click on a section's title selects or deselects the whole section. */
  #sectionClicked({ target }) {
    const title = target.closest('.header')
    if (!title || !this.#count) return
    const { from, count } = this.#page.pageLayout.sections[title.dataset.section]
    this.#items.toggleRange(from, from + count)
    if (!this.#count && title.contains(focused(title))) this.#page.find('grid').focus({ preventScroll: true }) // the focused mark is removed
    this.#show()
  }

  /** Adds a check mark to a section's title while pictures are selected, else removes it. */
  #mark(title) {
    const section = this.#page.pageLayout.sections[title.dataset.section]
    const mark = title.querySelector('.pick-all')
    if (!this.#count || !section) return mark?.remove()
    const isWhole = this.#items.ranges.hasAll(section.from, section.from + section.count)
    if (!mark) title.append(sectionMark(section.title, title.parentNode === this.#page.sectionHeaders.stuck))
    title.querySelector('.pick-all').setAttribute('aria-pressed', String(isWhole))
  }

  /** Handles X on a cell, and the space bar while pictures are selected. */
  #pressed(event) {
    const { active } = this.#page.keyboard
    this.#before = active
    if (event.altKey || event.metaKey || event.ctrlKey || event.shiftKey) return
    if (event.key !== 'x' && !(event.key === ' ' && this.#count)) return
    swallow(event)
    this.#toggle(active)
  }

  /** Selects the items between the former and the new active item if the keyboard moved with Shift. */
  #moved({ key, shiftKey }) {
    const { active } = this.#page.keyboard
    if (shiftKey && MOVES.test(key) && active !== this.#before) this.#extend(active, this.#before)
  }

  /** Handles Escape and Ctrl + A, except in a field or dialog. */
  #keyDown(event) {
    const isField = event.target.closest?.('input:not([type=radio], [type=range], [type=checkbox]), select, dialog, [popover]')
    if (isField || event.defaultPrevented) return
    if (event.key === 'Escape') this.clear()
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && !event.shiftKey && this.#page.state.itemCount) {
      event.preventDefault()
      this.#items.all(this.#page.state.itemCount)
      this.#show()
    }
  }

  #show() {
    const { grid } = this.#page
    const count = this.#count
    if (!count) this.#download?.abort()
    this.#bar.hidden = count === 0
    this.#page.root.toggleAttribute('data-selecting', count > 0)
    this.#page.find('grid').setAttribute('aria-multiselectable', String(count > 0))
    const text = count ? `${number.format(count)} selected` : 'Nothing selected'
    this.#bar.querySelector('b').textContent = text
    this.#page.say(text)
    for (const cell of grid.cells()) cell.mark()
    for (const id of ['headers', 'stuck']) for (const title of this.#page.find(id).children) this.#mark(title)
    this.#page.sectionHeaders.fit()
    this.#offerDownload()
    this.#page.selected(this.#items.ranges.list)
  }

  /** @returns {HTMLButtonElement | null} */
  #button(action) {
    return this.#bar.querySelector(`[data-action="${action}"]`)
  }

  #notify(text) {
    this.#page.notify(text)
  }

  async #copyLinks() {
    const items = this.#items.ranges.first(LINKS)
    const rest = this.#count - items.length
    const isCopied = await copyText(items.map(this.#page.address).join('\n'))
    this.#notify(isCopied ? `${rest ? 'First ' : ''}${number.format(items.length)} ${items.length === 1 ? 'link' : 'links'} copied` : 'Copying is blocked by this browser')
  }

  /** Shows the number of selected pictures on the download button, and their approximate size once known. */
  #offerDownload() {
    clearTimeout(this.#sizeTimer)
    if (this.#download || !this.#count) return
    const { gallery } = this.#page.state
    const { ranges } = this.#items
    const button = this.#button('archive')
    const [count, size] = [document.createElement('span'), document.createElement('span')]
    count.textContent = ` ${number.format(ranges.count)} ${ranges.count === 1 ? 'picture' : 'pictures'}`
    button.replaceChildren('Download', count, size)
    this.#sizeTimer = setTimeout(async () => {
      const bytes = await originalBytes(gallery, ranges).catch(() => null)
      if (bytes !== null) size.textContent = ` (about ${roughSize(bytes)})`
    }, PAUSE)
  }

  /** Downloads the selected pictures. Stops the download if called while one is running. */
  async #archive() {
    if (this.#download) return this.#download.abort()
    const { base } = this.#page.state
    const button = this.#button('archive')
    const download = (this.#download = new AbortController())
    const show = (bytes) => (button.textContent = `Stop (${megabytes(bytes)})`)
    try {
      await this.#requestArchive({ name: base.title, signal: download.signal, progress: show })
      this.#notify('Download started')
    } catch (error) {
      if (!download.signal.aborted) this.#notify(`Download failed: ${error.message}`)
    } finally {
      this.#download = null
      this.#offerDownload()
    }
  }

  /** Requests the archive. Refreshes the gallery and tries again if the numbers mean other pictures on the server. */
  async #requestArchive(options) {
    for (let tries = 1; ; tries++) {
      const { gallery } = this.#page.state
      try {
        return await downloadArchive({ gallery, named: this.#named, ...options })
      } catch (error) {
        if (error.status !== 412 || tries >= TRIES) throw error
        await this.#page.session.refresh()
      }
    }
  }

  /** The selection in a form that the server can check: items with their ids if known, else ranges with the gallery's revision. */
  get #named() {
    const { ranges } = this.#items
    const { gallery } = this.#page.state
    const items = ranges.count <= NAMED ? ranges.first(NAMED) : []
    const ids = items.map((item) => this.#page.state.identity(item).id)
    return items.length && ids.every(Boolean) ? { items, ids } : { ranges: ranges.list, revision: gallery.revision }
  }
}

const megabytes = (/** @type {number} */ bytes) => `${number.format(Math.round(bytes / 1e6))}\u00a0MB`

/** Formats a size: `8 kB`, `210 MB` or `1.4 GB`. */
function roughSize(/** @type {number} */ bytes) {
  if (bytes < 1e6) return `${number.format(Math.ceil(bytes / 1e3))}\u00a0kB`
  return bytes < 1e9 ? megabytes(bytes) : `${number.format(Math.round(bytes / 1e8) / 10)}\u00a0GB`
}

function swallow(event) {
  event.preventDefault()
  event.stopPropagation()
}

/** Creates the circle for the cell under the mouse. Not for the keyboard, which has X. */
function circle() {
  const button = document.createElement('button')
  Object.assign(button, { type: 'button', className: 'pick', tabIndex: -1, title: 'Select (X)' })
  button.setAttribute('aria-hidden', 'true')
  return button
}

/** Creates the check mark of a section's title. In the title's copy at the top, the Tab key skips it. */
function sectionMark(title, isCopy) {
  const button = document.createElement('button')
  Object.assign(button, { type: 'button', className: 'pick-all', tabIndex: isCopy ? -1 : 0 })
  button.setAttribute('aria-label', `Select all of ${title || 'Untitled'}`)
  return button
}
