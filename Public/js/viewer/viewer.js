// One picture, large. Opens from its cell and gives the focus back to it; each picture has its own address.

import { toggleFullScreen } from '../header/header.js'
import { parameter, setParameters } from '../page/address-bar.js'
import { writeFacts } from './facts.js'
import { ViewerImages } from './images.js'
import { Zoom } from './zoom.js'

const SLIDE = 4000 // ms a picture stays in a slideshow, once it is there
const GROWTH = 180 // ms from the cell to the whole frame

const stillness = matchMedia('(prefers-reduced-motion: reduce)')

const number = new Intl.NumberFormat('en')

export class Viewer {
  /** `closed(item)` gets the picture last seen; `shown(item, way)` each, with the way the person goes through them. `begin(gallery, items)` must be called before anything opens. */
  constructor(dialog, { thumbnails, closed, say, shown }) {
    Object.assign(this, { dialog, thumbnails, closed, say, shown })
    this.part = (name) => dialog.querySelector(`[data-part="${name}"]`)
    this.picture = this.part('picture')
    this.images = new ViewerImages(this.part('frame'))
    this.item = -1
    this.zoom = new Zoom(this.part('frame'), this.picture, {
      changed: (scale) => this.#scaled(scale),
      swiped: (way) => (way === 'down' ? this.close() : this.step(way === 'left' ? 1 : -1)),
      tapped: (event) => (event.target === this.picture || event.pointerType === 'touch' ? this.zoom.toggle(event) : this.close()),
    })
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault()
      this.close()
    })
    dialog.addEventListener('keydown', (event) => this.#pressed(event))
    dialog.addEventListener('click', (event) => {
      const action = event.target.closest('button')?.dataset.action
      if (action) this.#do(action)
    })
    addEventListener('popstate', () => this.#followAddress())
    addEventListener('resize', () => this.isOpen && this.zoom.reset())
  }

  get isOpen() {
    return this.dialog.open
  }

  begin(gallery, items) {
    this.gallery = gallery
    this.items = items
    this.images.begin(gallery)
    if (!this.isOpen) this.#followAddress()
  }

  /** The gallery's items have changed: the one on show has another number now. */
  shift(by) {
    if (!this.isOpen || !by) return
    this.item += by
    setParameters({ view: this.item })
  }

  /** Opens at an item, out of its `cell`; the page's history gets an entry to go back from. */
  open(item, cell) {
    const from = cell?.getBoundingClientRect()
    setParameters({ view: item }, { push: true, state: { viewer: true } })
    this.#raise(item)
    if (from && this.picture.hasAttribute('src')) this.#grow(from)
  }

  close() {
    if (!this.isOpen) return
    if (history.state?.viewer) history.back() // popstate closes
    else {
      setParameters({ view: null })
      this.#lower()
    }
  }

  step(by) {
    this.#go(this.item + by)
  }

  #go(item) {
    if (item < 0 || item >= this.gallery.itemCount || item === this.item) return
    this.forward = item > this.item
    setParameters({ view: item })
    this.#show(item)
  }

  #followAddress() {
    const given = parameter('view')
    const item = given === null ? NaN : Number(given)
    if (Number.isInteger(item) && item >= 0 && item < (this.gallery?.itemCount ?? 0)) this.#raise(item)
    else if (this.isOpen) this.#lower()
  }

  #raise(item) {
    if (!this.isOpen) {
      this.dialog.showModal()
      this.part('frame').focus()
    }
    this.#show(item)
  }

  #grow(from) {
    if (stillness.matches) return
    const to = this.picture.getBoundingClientRect()
    const [dx, dy] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2]
    const scale = Math.max(from.width / to.width, from.height / to.height)
    this.picture.animate({ transform: [`translate(${dx}px, ${dy}px) scale(${scale})`, 'none'] }, { duration: GROWTH, easing: 'cubic-bezier(.2, 0, 0, 1)' })
  }

  #lower() {
    this.#play(false)
    this.dialog.close()
    this.images.clear()
    this.#fill(null)
    const last = this.item
    this.item = -1
    this.closed(last)
  }

  #show(item) {
    if (item === this.item) return
    this.item = item
    this.detailed = -1 // the item that is on show in its full size
    this.zoom.reset()
    this.part('problem').hidden = true
    this.part('previous').disabled = item === 0
    this.part('next').disabled = item === this.gallery.itemCount - 1
    if (document.activeElement?.disabled) this.part('frame').focus() // a button that cannot be pressed hears no keys
    const held = this.thumbnails.get(item)
    if (held) {
      // The thumbnail, in the shape of the picture, until the picture is there.
      this.#place(held.src, this.items.get(item) ?? { width: held.width * 100, height: held.height * 100 })
    } else this.#fill(null)
    this.#describe()
    this.shown(item, this.forward === false ? -1 : 1)
    this.items.learn({ from: Math.max(0, item - 1), to: item + 2 }).then((news) => news && this.item === item && this.#describe())
    this.#load(item)
  }

  async #load(item, width = this.images.width) {
    const frame = this.part('frame')
    frame.dataset.loading = true
    const image = this.images.fetch(item, width, item)
    const readable = await image.decode().then(() => true, () => false)
    if (!this.images.holds(item, width, image)) return // let go meanwhile
    if (!readable) this.images.forget(item, width)
    if (this.item !== item) return
    delete frame.dataset.loading
    this.#rest()
    if (!readable) {
      if (width === this.images.width) this.part('problem').hidden = false
      return
    }
    const known = this.items.get(item)
    this.#place(image.src, known?.width ? known : { width: image.naturalWidth, height: image.naturalHeight })
    this.images.ahead(item, this.forward !== false)
  }

  #place(src, { width, height }) {
    if (width && height) this.zoom.size({ width, height })
    this.#fill(src)
  }

  /** Puts a picture into the frame; null takes it out. */
  #fill(src) {
    this.picture.hidden = !src
    if (!src) this.picture.removeAttribute('src')
    else if (this.picture.src !== src) this.picture.src = src
  }

  #describe() {
    const known = this.items.get(this.item)
    const title = this.items.name(this.item)
    this.part('title').textContent = title
    const size = known?.width ? ` · ${known.width}\u00a0×\u00a0${known.height}` : ''
    const file = known?.file && known.file !== title ? ` · ${known.file}` : ''
    if (this.told) this.#tellFacts(true)
    this.part('facts').textContent = `${number.format(this.item + 1)} of ${number.format(this.gallery.itemCount)}${size}${file}`
    this.picture.alt = title
    const original = this.part('original')
    original.href = this.images.address(this.item, 'original')
    original.download = known?.file ?? title
    this.say(`${title}, ${number.format(this.item + 1)} of ${number.format(this.gallery.itemCount)}`)
  }

  /** All that is known of the picture, or no longer. */
  #tellFacts(told) {
    this.told = told
    this.part('facts-open').setAttribute('aria-pressed', told)
    this.part('details').hidden = !told
    if (!told) return
    writeFacts(this.part('details'), this.gallery, this.items.get(this.item), this.item, this.items.name(this.item))
  }

  #scaled(scale) {
    const button = this.part('zoom')
    button.setAttribute('aria-pressed', scale > 1.001)
    button.title = scale > 1.001 ? `${Math.round(scale * 100)} % of fitted (Z: fit)` : 'Zoom to 1:1 (Z)'
    const known = this.items?.get(this.item)
    if (scale <= 1.2 || this.detailed === this.item || !(known?.width > this.images.width)) return
    this.detailed = this.item
    this.#load(this.item, this.images.atLeast(known.width))
  }

  #do(action) {
    if (action === 'close') this.close()
    else if (action === 'previous') this.step(-1)
    else if (action === 'next') this.step(1)
    else if (action === 'zoom') this.zoom.toggle()
    else if (action === 'play') this.#play(!this.playing)
    else if (action === 'facts') this.#tellFacts(!this.told)
    else if (action === 'retry') {
      this.part('problem').hidden = true
      this.#load(this.item)
    }
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const pan = this.zoom.zoomed
    const keys = {
      ArrowLeft: () => (pan ? this.zoom.pan(80, 0) : this.step(-1)),
      ArrowRight: () => (pan ? this.zoom.pan(-80, 0) : this.step(1)),
      ArrowUp: () => this.zoom.pan(0, 80),
      ArrowDown: () => this.zoom.pan(0, -80),
      PageUp: () => this.step(-1),
      PageDown: () => this.step(1),
      Home: () => this.#go(0),
      End: () => this.#go(this.gallery.itemCount - 1),
      z: () => this.zoom.toggle(),
      '+': () => this.zoom.to(this.zoom.scale * 1.4),
      '-': () => this.zoom.to(this.zoom.scale / 1.4),
      s: () => this.#play(!this.playing),
      i: () => this.#tellFacts(!this.told),
      f: toggleFullScreen,
    }
    const key = keys[event.key]
    if (!key) return
    event.preventDefault()
    key()
  }

  #play(on) {
    this.playing = on
    this.part('play').setAttribute('aria-pressed', Boolean(on))
    this.#rest()
  }

  /** In a slideshow, stays a while at the picture that has come. */
  #rest() {
    clearTimeout(this.timer)
    if (!this.playing || this.part('frame').dataset.loading) return
    this.timer = setTimeout(() => (this.item + 1 < this.gallery.itemCount ? this.step(1) : this.#play(false)), SLIDE)
  }
}
