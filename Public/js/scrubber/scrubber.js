// A rail for the whole gallery: shows where sections begin, marks the current position, and previews where a drag leads. Without room
// for titles, or without titles, the rail is a handle at the edge for touch.

import { hasRail } from '../layout/layout-options.js'
import { focused } from '../keys/focused.js'
import { placeLabels, writeLabel } from './labels.js'
import { draw, isDrawable } from '../thumbnails/thumb-hash.js'
import { Marks, topOf } from './marks.js'
import { LINE_HEIGHT, Scale } from './scale.js'

const NEAR = 18 // px around the current title without other titles
const THIN = 2 // px length of the shortest bar of a month
const THICK = 6 // px length of the bar of the month with the most pictures
const LONG = 4 // minimum screens of content for showing a handle
const SLACK = 4 // px that a pointer moves before a press becomes a drag
const DOT = 8 // px height of a follower's dot
const LINGERS = 700 // ms that the date stays visible after the last movement

const number = new Intl.NumberFormat('en')

export class Scrubber {
  rail
  /** @type {import('../scroll/scroller.js').Scroller} */
  scroller
  /** Whether the person holds the rail. */
  held = false
  /** @type {import('../layout/page-layout.js').Layout | null} */
  layout = null
  #seek
  #part
  #here
  #current
  #labels = [] // on the rail: `{mark, y, element, isKept}`
  #titleY = 0 // position of the current title, px
  #height = 0 // of the rail, px. Measured only when it changes, to avoid layout in the middle of a frame
  #line = LINE_HEIGHT // height of a label or the handle, px. Measured together with the rail
  #marker = LINE_HEIGHT // height of the marker, px
  #pressedAt = 0 // px in the window
  #isDragged = false // whether the holding pointer has moved
  #grip = 0 // px from the middle of the handle to the pointer
  #wide
  #root
  #gallery = null
  /** @type {import('../arrange/timeline.js').Timeline | null} */
  #timeline = null
  /** @type {Marks} */
  #marks
  #mark = -1 // the current mark
  #place = -1 // position of the marker, px
  #timer = 0 // timer that hides the date
  #pictureOf = null // returns the thumbnail and the hash of an item, as far as known
  #pointed = -1 // the item in the preview
  /** @type {import('../sharing/watchers.js').Audience['followers']} */
  #followers = []

  /** `seek(top)` scrolls the gallery. `wide.matches` if there is room for titles. `root` gets an attribute if titles are shown. */
  constructor(rail, scroller, seek, { wide, root }) {
    this.rail = rail
    this.scroller = scroller
    this.#seek = seek
    this.#part = (name) => rail.querySelector(`[data-part="${name}"]`)
    this.#here = this.#part('here')
    this.#current = this.#part('current')
    this.#root = root
    this.#wide = wide
    this.#wide.addEventListener('change', () => this.#choose())
    rail.addEventListener('pointerdown', (event) => this.#down(event))
    rail.addEventListener('pointermove', (event) => (this.titled || this.held) && this.#point(event))
    rail.addEventListener('pointerleave', () => !this.held && this.#hide())
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture']) rail.addEventListener(type, (event) => this.#up(event))
    rail.addEventListener('focus', () => this.#describe())
    rail.addEventListener('keydown', (event) => this.#pressed(event))
    new ResizeObserver(() => this.#measure()).observe(rail)
  }

  /** Connects the scrubber to the page's scroller. `pictureOf(item)` returns thumbnail and hash of an item as `{src, hash}`, if known. */
  join(scroller, seek, pictureOf) {
    this.scroller = scroller
    this.#seek = seek
    this.#pictureOf = pictureOf
  }

  get titled() {
    return this.rail.dataset.mode === 'titles'
  }

  /** Takes or releases the room for titles. Call this before the gallery is laid out in the remaining width. */
  begin(gallery) {
    this.#gallery = gallery
    this.#timeline = null
    this.#choose()
  }

  /** Sets the timeline whose months become the marks. Null for sections. */
  setTimeline(/** @type {import('../arrange/timeline.js').Timeline | null} */ timeline) {
    this.#timeline = timeline?.months.length ? timeline : null
    if (this.layout) this.setLayout(this.layout)
  }

  /** Shows a dot at the place of each follower. */
  setFollowers(followers) {
    this.#followers = followers
    this.#placeFollowers()
  }

  #placeFollowers() {
    const { layout } = this
    if (!layout || !this.#height) return
    const shown = this.#followers.filter(({ item }) => item < layout.itemCount)
    this.#part('dots').replaceChildren(...shown.map(({ item, prefetching }) => {
      const dot = document.createElement('i')
      dot.toggleAttribute('data-off', !prefetching)
      dot.style.transform = `translateY(${this.#scale.yOf(topOf(layout, item)) + (this.#line - DOT) / 2}px)`
      return dot
    }))
  }

  setLayout(layout) {
    this.layout = layout
    this.#marks = new Marks(layout, this.#timeline)
    this.#mark = -1
    this.rail.hidden = !this.titled && layout.contentHeight < LONG * this.scroller.height
    this.rail.setAttribute('aria-valuemax', Math.max(1, layout.itemCount))
    this.#measure()
  }

  moved() {
    if (!this.layout || this.rail.hidden) return
    const place = this.#scale.yOf(this.scroller.top)
    // With millions of pictures, a frame's movement is less than a pixel of the rail.
    const hasMoved = place !== this.#place
    const isScrolled = hasMoved && this.#place >= 0
    if (hasMoved) {
      this.#here.style.transform = `translateY(${(this.#place = place)}px)`
    }
    const mark = this.#marks.at(this.scroller.top + 1).from // browsers round scrollTop
    const isAnother = mark !== this.#mark
    this.#mark = mark
    if (hasMoved || isAnother) this.#clear()
    if (isScrolled && this.#timeline && !this.titled) this.#float()
    if (!isAnother && focused(this.rail) !== this.rail) return
    if (isAnother && this.titled) writeLabel(this.#current, this.#marks.current(mark))
    this.#describe()
  }

  /** Shows the date beside the handle while the content moves. */
  #float() {
    const date = this.#part('date')
    const title = this.#marks.titles[this.#mark]
    if (date.textContent !== title) date.textContent = title
    date.hidden = this.held
    date.style.transform = `translateY(${this.#place}px)`
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (date.hidden = true), LINGERS)
  }

  /** Places the current title at the current position, or beside a year whose months are below. Hides other titles near it. */
  #clear() {
    const year = this.#labels.find(({ y, isKept }) => isKept && Math.abs(y - this.#place) < NEAR)
    this.#titleY = !year ? this.#place : year.y + (this.#place < year.y ? -NEAR : NEAR)
    this.#current.style.transform = `translateY(${this.#titleY}px)`
    for (const { mark, y, element, isKept } of this.#labels) {
      const isHidden = !isKept && (mark === this.#mark || Math.abs(y - this.#titleY) < NEAR)
      if (isHidden !== element.hidden) element.hidden = isHidden
    }
  }

  /** On the titled rail, a position is the beginning of a section. A handle covers the whole range from top to bottom. */
  get #scale() {
    const { limit } = this.scroller
    return new Scale({ extent: this.titled ? this.layout.contentHeight : limit, limit, height: this.#height, line: this.#line })
  }

  /** Returns the part of the rail that the marker covers between two scroll positions, `{y, height}` in px. */
  span(/** @type {number} */ from, /** @type {number} */ to) {
    const scale = this.#scale
    const [y, end] = [from, to].map((top) => scale.yOf(Math.min(top, scale.limit)))
    return { y, height: end - y + this.#marker }
  }

  #measure() {
    this.#here.style.height = ''
    this.#height = this.rail.clientHeight
    this.#line = this.titled ? LINE_HEIGHT : this.#here.offsetHeight
    // The marker represents the viewport at the scale of the content, so it reaches the end of the rail at the end of the content.
    this.#marker = this.#line
    if (this.titled && this.layout) {
      this.#marker += this.#scale.yOf(this.scroller.element.clientHeight)
      this.#here.style.height = `${this.#marker}px`
    }
    this.#label()
    this.#placeFollowers()
    this.moved()
  }

  #choose() {
    const titles = this.#gallery !== null && this.#wide.matches && hasRail(this.#gallery)
    this.rail.dataset.mode = titles ? 'titles' : 'handle'
    this.#root.toggleAttribute('data-rail', titles)
    if (this.layout) this.setLayout(this.layout)
    else this.rail.hidden = !titles
  }

  /** Updates the values for screen readers. */
  #describe() {
    if (!this.layout) return
    const { item, title } = this.#at(this.scroller.top)
    this.rail.setAttribute('aria-valuenow', item + 1)
    this.rail.setAttribute('aria-valuetext', [title, `picture ${number.format(item + 1)}`].filter(Boolean).join(', '))
  }

  #at(top) {
    const { from } = this.layout.items(top, top + this.scroller.height)
    const item = top >= this.scroller.limit && top > 0 ? this.layout.itemCount - 1 : from
    const title = this.#timeline ? this.#timeline.nameOf(item) : this.layout.sections[this.layout.section(item)]?.title
    return { item, title: title ?? '' }
  }

  /** Renders the titles that fit. With a timeline, also renders a bar for each month. Its length shows the number of pictures. */
  #label() {
    if (!this.layout || this.rail.hidden || !this.#height) return
    const { contentHeight } = this.layout
    const scale = this.#scale
    this.#place = this.#mark = -1
    const { tops, titles, counts } = this.#marks
    const placed = placeLabels(this.titled ? this.#marks.labels : [], (mark) => scale.yOf(tops[mark]), this.#height)
    const isAbove = new Set(placed.filter(({ label }) => label.year === null).map(({ label }) => label.within))
    this.#labels = placed.map(({ section: mark, y, label }) => {
      const element = document.createElement('span')
      writeLabel(element, label)
      element.dataset.section = titles[mark]
      element.toggleAttribute('data-year', /^\d+$/.test(label.head))
      element.style.transform = `translateY(${y}px)`
      return { mark, y, element, isKept: label.year !== null && isAbove.has(label.year) }
    })
    const maximum = Math.max(...counts)
    const bars = (this.titled ? counts : []).map((count, mark) => {
      const [from, to] = [tops[mark], tops[mark + 1] ?? contentHeight].map((top) => scale.yOf(top))
      const length = THIN + Math.round((THICK - THIN) * Math.sqrt(count / maximum))
      return to > from ? `M0 ${from}h${length}V${Math.max(from + 1, to - 1)}H0z` : ''
    })
    const density = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    const path = density.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'path'))
    path.setAttribute('d', bars.join(''))
    this.#part('labels').replaceChildren(density, ...this.#labels.map(({ element }) => element))
  }

  #down(event) {
    if (event.button > 0 || !this.layout) return
    this.rail.setPointerCapture(event.pointerId)
    this.held = true
    this.#isDragged = false
    this.#pressedAt = event.clientY
    // A handle stays under the finger. The titled rail scrolls to the position of the pointer.
    const here = this.#here.getBoundingClientRect()
    this.#grip = this.titled ? 0 : event.clientY - here.top - here.height / 2
    this.rail.dataset.held = true
    this.#point(event)
  }

  #up(event) {
    this.held = this.#isDragged = false
    this.#grip = 0
    delete this.rail.dataset.held
    if (!this.titled || event.pointerType === 'touch') this.#hide()
  }

  #hide() {
    this.#part('bubble').hidden = true
  }

  /** Returns the scroll position that a press at a height of the window leads to. */
  topAt(clientY) {
    return this.#target(clientY - this.rail.getBoundingClientRect().top).top
  }

  /** Returns the target `{top, mark}` of a height on the rail: the mark of the label there, or else the position in the content. */
  #target(y) {
    const scale = this.#scale
    const current = this.titled ? [{ mark: this.#mark, y: this.#titleY }] : []
    const label = this.#isDragged ? undefined : scale.lineAt([...this.#labels.filter(({ element }) => !element.hidden), ...current], y)
    return label ? { top: Math.min(this.#marks.tops[label.mark], scale.limit), mark: label.mark } : { top: scale.topAt(y), mark: null }
  }

  /** Previews the position at the pointer. Scrolls to it if the pointer is pressed. */
  #point(event) {
    if (!this.layout) return
    const y = event.clientY - this.#grip - this.rail.getBoundingClientRect().top
    if (this.held && Math.abs(event.clientY - this.#pressedAt) > SLACK) this.#isDragged = true
    const { top, mark } = this.#target(y)
    const { item, title } = mark === null ? this.#at(top) : { item: this.#marks.items[mark], title: this.#marks.titles[mark] }
    if (this.held) this.#seek(top)
    const bubble = this.#part('bubble')
    bubble.hidden = false
    const [name, count] = ['name', 'count'].map(this.#part)
    name.textContent = title
    name.hidden = !title
    count.textContent = number.format(item + 1)
    this.#pointed = item
    this.preview()
    const { offsetHeight } = bubble
    bubble.style.transform = `translateY(${Math.min(this.#height - offsetHeight, Math.max(0, y - offsetHeight / 2))}px)`
  }

  /** Shows the picture or the blur of the pointer's item. During a drag, the frame stays even if neither is known. */
  preview() {
    const bubble = this.#part('bubble')
    if (bubble.hidden || !this.#pictureOf) return
    const { src, hash } = this.#pictureOf(this.#pointed)
    const [thumbnail, blur, image] = ['thumbnail', 'blur', 'image'].map(this.#part)
    const isBlurred = !src && hash && isDrawable(hash)
    thumbnail.hidden = !this.held && !src && !isBlurred
    image.hidden = !src
    blur.hidden = !isBlurred
    if (src && image.src !== src) image.src = src
    if (isBlurred) draw(hash, blur)
  }

  #pressed(event) {
    const { layout, scroller } = this
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }[event.key]
    if (!layout || step === undefined) return
    event.preventDefault()
    if (!Number.isFinite(step)) return this.#seek(step < 0 ? 0 : scroller.limit)
    const { tops } = this.#marks
    const last = tops.length - 1
    if (last < 1) return this.#seek(scroller.top + (step * scroller.limit) / 100)
    // Sections side by side count as one.
    const current = this.#marks.at(scroller.top + 1)
    const far = Math.abs(step) === 1 ? 1 : Math.max(1, Math.round(last / 10))
    this.#seek(tops[Math.min(last, Math.max(0, step > 0 ? current.to - 1 + far : current.from - far))])
  }
}
