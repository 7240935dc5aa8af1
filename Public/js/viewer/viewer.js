// One picture, large. Opens from its cell and gives the focus back to it; each picture has its own address.

import { Caption } from './caption.js'
import { Detail } from './detail.js'
import { FactsPanel } from './facts-panel.js'
import { Film, isVideo } from './film.js'
import { Filmstrip } from './filmstrip.js'
import { grow, shrink } from './grow.js'
import { findPicture } from '../galleries/items.js'
import { address } from '../session/api.js'
import { sentence } from '../thumbnails/failure-watch.js'
import { sizeOf } from '../thumbnails/thumb-hash.js'
import { placeholder, ViewerImages } from './images.js'
import { hearKeys, viewerKeys } from './keys.js'
import { Slideshow } from './slideshow.js'
import { addressHistory } from './viewer-history.js'
import { Zoom } from './zoom.js'

const OPAQUE = /\.jpe?g$/i
const AROUND = 2 // pictures to either side whose blurs are fetched

export class Viewer {
  /** The item on show, -1 while closed. */
  item = -1
  #gallery = null
  /** @type {import('../galleries/items.js').Items | null} */
  #items = null
  /** @type {{id?: string, version?: string}} What the picture on show is, as far as known. */
  #identity = {}
  #turn = 0 // rises with each address that is followed
  #dialog
  /** @type {import('../thumbnails/thumbnail-cache.js').ThumbnailCache} */
  #thumbnails
  /** @type {import('../thumbnails/placeholders.js').Placeholders} */
  #placeholders
  #isLoaded = false // the picture on show is more than its blur or thumbnail
  #identify
  #path
  #closed
  #say
  #notify
  #shown
  /** @type {import('./viewer-history.js').ViewerHistory} */
  #history
  #part
  #picture
  #images
  #zoom
  #slideshow
  #isForward = true // the way the person goes through the pictures
  #detail
  #facts
  #filmstrip
  #film
  #caption

  /** The buttons' actions, by their `data-action`. */
  #actions = {
    close: () => this.close(),
    previous: () => this.step(-1),
    next: () => this.step(1),
    zoom: () => this.#zoom.toggle(),
    play: () => this.#slideshow.toggle(),
    facts: () => this.#openFacts(!this.#facts.isOpen),
    filmstrip: () => (this.#filmstrip.toggle(), this.#zoom.reset()), // in a frame of another height
    retry: () => {
      this.#part('problem').hidden = true
      this.#part('frame').focus() // a button that is hidden hears no keys
      this.#load(this.item)
    },
  }

  /**
   * `path(item, what, query)` is where something of an item is, `identity(item)` what is known of its id and version; `notify(text)` shows a
   * message; `closed(item)` gets the picture last seen and returns its cell; `shown(item, way)` each, with the way through them; `narrow` is for the facts; `history` keeps which one is open;
   * `signal` ends it for good.
   * `begin(gallery, items)` must be called before anything opens.
   */
  constructor(dialog, { thumbnails, placeholders, path, identity, closed, say, notify, shown, narrow, signal, history = addressHistory }) {
    this.#dialog = dialog
    this.#thumbnails = thumbnails
    this.#placeholders = placeholders
    this.#path = path
    this.#identify = identity
    this.#closed = closed
    this.#say = say
    this.#notify = notify
    this.#shown = shown
    this.#history = history
    this.#part = (name) => dialog.querySelector(`[data-part="${name}"]`)
    this.#picture = this.#part('picture')
    this.#picture.decoding = 'sync' // each image is decoded before it is put here: none may flash
    this.#facts = new FactsPanel(this.#part('details'), this.#part('facts-open'), { narrow, close: () => this.#openFacts(false) })
    this.#images = new ViewerImages(this.#part('frame'), path)
    this.#detail = new Detail(this.#images, {
      item: () => this.item, known: (item) => this.#items?.get(item), isRemote: () => this.#gallery.source !== 'folder',
      fill: (src) => this.#fill(src), load: (item, width) => this.#load(item, width),
      busy: (isBusy) => (isBusy ? (this.#part('frame').dataset.loading = 'true') : delete this.#part('frame').dataset.loading),
    })
    this.#caption = new Caption(this.#part)
    this.#film = new Film(this.#part, { changed: () => this.#slideshow.rest() })
    this.#filmstrip = new Filmstrip(this.#part('filmstrip'), this.#part('filmstrip-open'), {
      thumbnails, name: (item) => this.#items?.name(item) ?? '', learn: async (range) => this.#items?.learn(range),
      address: (item) => address(path(item, 'thumbnail', { width: '256' })), go: (item) => this.#go(item),
      crossOrigin: () => this.#picture.crossOrigin,
    })
    this.#zoom = new Zoom(this.#part('frame'), this.#picture, {
      changed: (scale) => this.#scaled(scale),
      swiped: (way) => (way === 'down' ? this.close() : this.step(way === 'left' ? 1 : -1)),
      tapped: () => dialog.toggleAttribute('data-bare'),
      missed: () => this.close(),
      isHeld: () => this.#film.hasRested,
    })
    const showControls = () => dialog.removeAttribute('data-bare')
    dialog.addEventListener('pointermove', ({ pointerType }) => pointerType === 'mouse' && showControls())
    dialog.addEventListener('keydown', showControls)
    dialog.addEventListener('focusin', ({ target }) => target !== this.#part('frame') && showControls())
    this.#slideshow = new Slideshow(this.#part('play'), {
      isBusy: () => 'loading' in this.#part('frame').dataset || this.#film.isPlaying,
      next: () => this.step(1),
    })
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault()
      this.close()
    })
    hearKeys(dialog, viewerKeys(this.#actions, this.#zoom, this.#film, { first: () => this.#go(0), last: () => this.#go(this.#gallery.itemCount - 1) }))
    dialog.addEventListener('click', (event) => this.#actions[event.target.closest('button')?.dataset.action]?.())
    history.listen(() => void this.#followAddress())
    addEventListener('resize', () => this.isOpen && (this.#zoom.reset(), this.#filmstrip.resize()), { signal })
  }

  get isOpen() {
    return this.#dialog.open
  }

  begin(gallery, items) {
    this.#gallery = gallery
    this.#items = items
    this.#images.begin(gallery.itemCount)
    this.#filmstrip.begin(gallery.itemCount)
    if (this.isOpen) this.#learn(this.item, this.item + 1)
    else this.#followAddress()
  }

  /** The one on show has another number now. */
  shift(by) {
    if (!this.isOpen || !by) return
    this.item += by
    this.#filmstrip.show(this.item)
    this.#showFilm(this.item) // its address has that number
    this.#history.write(this.item, this.#identity.id)
  }

  /** Opens at an item, out of its `cell`; the page's history gets an entry to go back from. */
  open(item, cell) {
    const from = cell?.getBoundingClientRect()
    this.#history.push(item, this.#identify(item).id)
    this.#raise(item)
    if (from && this.#picture.hasAttribute('src')) grow(this.#picture, from)
  }

  /** Shows an item, in the viewer as it stands or in one that opens. */
  turnTo = (item) => (this.isOpen ? this.#go(item) : this.open(item))

  close() {
    if (!this.isOpen) return
    if (this.#history.back()) return // the way back closes
    this.#history.write(null)
    this.#lower()
  }

  /** Goes on by so many pictures, or back; returns whether there is one. */
  step = (/** @type {number} */ by) => this.#go(this.item + by)

  #go(item) {
    if (item < 0 || item >= this.#gallery.itemCount || item === this.item) return false
    this.#isForward = item > this.item
    this.#history.write(item, this.#identify(item).id)
    this.#show(item)
    return true
  }

  async #followAddress() {
    const turn = ++this.#turn
    const named = this.#history.picture()
    const item = named && this.#gallery ? await this.#find(named) : null
    if (turn !== this.#turn) return
    if (item !== null && item < this.#gallery.itemCount) this.#raise(item)
    else if (this.isOpen) this.#lower()
  }

  /** The number that a picture in the address has now; null if it is gone, which is said. */
  async #find(/** @type {{item: number, id: string | null}} */ named) {
    if (!named.id || named.id === this.#identify(named.item).id) return named.item
    const item = await findPicture(this.#gallery, named)
    if (item === null) {
      this.#history.write(null)
      this.#notify('The picture in this link is no longer in the gallery.')
    }
    return item
  }

  #raise(item) {
    if (!this.isOpen) {
      this.#dialog.removeAttribute('data-bare')
      this.#dialog.showModal()
      this.#part('frame').focus()
    }
    this.#show(item)
  }

  #lower() {
    this.#slideshow.toggle(false)
    this.#film.clear()
    const leave = shrink(this.#picture, this.#dialog.parentNode)
    this.#dialog.close()
    this.#images.clear()
    this.#fill(null)
    const last = this.item
    this.item = -1
    this.#identity = {}
    leave(this.#closed(last)?.getBoundingClientRect())
  }

  #show(item) {
    if (item === this.item) return
    this.item = item
    this.#identity = this.#identify(item)
    this.#detail.forget()
    this.#zoom.reset()
    this.#part('problem').hidden = true
    this.#part('previous').disabled = item === 0
    this.#part('next').disabled = item === this.#gallery.itemCount - 1
    if (document.activeElement?.matches(':disabled')) this.#part('frame').focus() // a button that cannot be pressed hears no keys
    this.#isLoaded = false
    this.#placeholders.want({ from: Math.max(0, item - AROUND), to: item + AROUND + 1 })
    this.preview()
    this.#describe()
    this.#showFilm(item)
    this.#filmstrip.show(item)
    this.#shown(item, this.#isForward ? 1 : -1)
    this.#learn(Math.max(0, item - 1), item + 2)
    this.#load(item)
  }

  /** Shows what is known of a picture that has not loaded, in the picture's shape: its thumbnail, blur or colour. Call this when more is known. */
  preview() {
    if (!this.isOpen || this.#isLoaded) return
    const { item } = this
    const [held, known] = [this.#thumbnails.get(item), this.#items.get(item)]
    if (known?.thumbHash && !this.#placeholders.hash(item)) this.#placeholders.learn(item, known.thumbHash)
    const hash = this.#placeholders.hash(item)
    const shape = held ?? (hash ? sizeOf(hash) : { width: 3, height: 2 })
    const size = known?.width ? known : { width: shape.width * 1000, height: shape.height * 1000 }
    this.#place(held?.src ?? placeholder(hash, known?.color), size)
    this.#picture.toggleAttribute('data-blur', !held)
  }

  async #learn(from, to) {
    const { item } = this
    if (!(await this.#items.learn({ from, to })) || this.item !== item) return
    const [before, now] = [this.#identity, this.#identify(item)]
    if (before.id && now.id !== before.id) {
      // Another picture has its number, since it is gone.
      this.item = -1
      return this.#show(item)
    }
    this.#identity = now
    this.preview()
    this.#describe()
    if (!before.version || !now.version || now.version === before.version) return
    this.#detail.forget()
    this.#load(item)
  }

  async #load(item, width = this.#images.width) {
    const frame = this.#part('frame')
    frame.dataset.loading = 'true'
    if (!this.#identify(item).id) await this.#items.learn({ from: item, to: item + 1 })
    if (this.item !== item) return
    const image = this.#images.fetch(item, width, item)
    const readable = await image.decode().then(() => true, () => false)
    if (!this.#images.holds(item, width, image)) return // let go meanwhile
    if (!readable) this.#images.forget(item, width)
    if (this.item !== item) return
    delete frame.dataset.loading
    this.#slideshow.rest()
    if (!readable) {
      // A video may play without a picture.
      if (width === this.#images.width && !isVideo(this.#items.get(item)?.file)) await this.#fail(item, width)
      return
    }
    const known = this.#items.get(item)
    const size = known?.width ? known : { width: image.naturalWidth, height: image.naturalHeight }
    this.#isLoaded = true
    if (!this.#detail.isFile) this.#place(image.src, size)
    this.#images.ahead(item, this.#isForward)
    if (width !== this.#images.width) return
    await this.#items.learn({ from: item, to: item + 1 })
    if (this.item === item) this.#detail.move()
  }

  /** Says why a picture cannot be shown. */
  async #fail(item, width) {
    const { reason, retryable } = this.#thumbnails.failure(item) ?? (await this.#images.failure(item, width))
    const problem = this.#part('problem')
    if (this.item !== item || this.#part('frame').dataset.loading) return
    const [what, file, why, retry] = problem.children
    what.textContent = retryable ? 'Can’t load this picture' : 'Can’t open this file'
    file.textContent = this.#items.get(item)?.file ?? this.#items.name(item)
    why.textContent = sentence(reason)
    retry.hidden = !retryable
    problem.hidden = false
  }

  #showFilm(item) {
    const learn = async () => {
      await this.#items.learn({ from: item, to: item + 1 })
      return this.#items.get(item)
    }
    this.#film.show({ title: this.#items.name(item), address: () => address(this.#path(item, 'video')), learn })
  }

  #place(src, { width, height }) {
    if (width && height) this.#zoom.size({ width, height })
    this.#fill(src)
  }

  /** Puts a picture into the frame; null takes it out. */
  #fill(src) {
    this.#picture.hidden = !src
    this.#picture.removeAttribute('data-blur')
    if (!src) this.#picture.removeAttribute('src')
    else if (this.#picture.src !== src) this.#picture.src = src
  }

  #describe() {
    const { item } = this
    const [known, title] = [this.#items.get(item), this.#items.name(item)]
    this.#history.write(item, this.#identity.id)
    this.#tellFacts()
    this.#picture.alt = title
    this.#picture.toggleAttribute('data-opaque', OPAQUE.test(known?.file ?? ''))
    this.#say(this.#caption.show(item, { known, title, itemCount: this.#gallery.itemCount, original: address(this.#path(item, 'original')) }))
  }

  /** The picture has what the facts leave of the stage. */
  #openFacts(isOpen) {
    this.#facts.toggle(isOpen)
    this.#tellFacts()
    this.#zoom.reset()
    this.#filmstrip.resize()
  }

  #tellFacts() {
    this.#facts.show(this.#gallery, this.item, this.#items.get(this.item), this.#items.name(this.item), this.#path(this.item))
  }

  #scaled(scale) {
    const button = this.#part('zoom')
    button.setAttribute('aria-pressed', scale > 1.001)
    button.title = scale > 1.001 ? `${Math.round(scale * 100)}% of fitted size (Z: fit)` : 'Zoom to 1:1 (Z)'
    if (scale > 1.2) this.#detail.sharpen(this.#zoom.shownWidth)
  }
}
