// Zooms and moves a picture in its frame. Scale 1 fits the picture to the frame. Small pictures are enlarged.

const ENLARGED = 2 // maximum CSS px per pixel of a picture smaller than the frame
const TINY = 64 // px of the longer side up to which the pixels of a picture are shown as squares
const SQUARE = 8 // maximum CSS px per pixel of such a tiny picture
const DOUBLE = 300 // ms within which a second tap makes a double tap
const NEAR = 30 // maximum px between the two taps
const NOTCH = 300 // px of wheel movement that scale by a factor of e
const PINCH = 200 // px of a pinch on a touchpad that scale by a factor of e
const LINE = 33 // px per line. Some browsers report wheel movement in lines

const clamp = (x, low, high) => Math.min(Math.max(x, low), high)

export class Zoom {
  scale = 1
  #frame
  #picture
  #changed
  #hands
  /** @type {{x: number, y: number, at: number} | null} The last tap, unless it was the second of two. */
  #tap = null
  #timer = 0 // runs until a tap cannot become a double tap any more
  #pointers = new Map() // pressed pointers by id
  #natural
  #x = 0 // px from the centre
  #y = 0
  #start = null // position and time of the last press

  /**
   * `frame` clips `picture`, which is moved. `changed(scale)` is called when the scale changes, `swiped('left' | 'right' | 'down')`
   * after a swipe, `tapped()` after a single tap, `missed()` after a click beside the picture. `isHeld()`: whether the last touch was a
   * long press.
   */
  constructor(frame, picture, { changed, ...hands }) {
    this.#frame = frame
    this.#picture = picture
    this.#changed = changed
    this.#hands = hands
    this.#natural = { width: 1, height: 1 }
    this.reset()
    frame.addEventListener('pointerdown', (event) => this.#down(event))
    frame.addEventListener('pointermove', (event) => this.#move(event))
    for (const type of ['pointerup', 'pointercancel']) frame.addEventListener(type, (event) => this.#up(event))
    frame.addEventListener('wheel', (event) => {
      event.preventDefault()
      const { deltaX, deltaY, deltaMode, ctrlKey } = event
      const unit = deltaMode ? LINE : 1
      if (Math.abs(deltaX) > Math.abs(deltaY)) this.pan(-deltaX * unit, 0)
      else this.to(this.scale * Math.exp((-deltaY * unit) / (ctrlKey ? PINCH : NOTCH)), event)
    }, { passive: false })
  }

  /** The scale at which one pixel of the original is one pixel of the screen. */
  get oneToOne() {
    return Math.max(1, this.#natural.width / (devicePixelRatio || 1) / this.#fitted().width)
  }

  /** Width of the shown picture in screen pixels. */
  get shownWidth() {
    return this.#fitted().width * this.scale * (devicePixelRatio || 1)
  }

  get zoomed() {
    return this.scale > 1.001
  }

  /** Sets the size of the original in px. It may become known while the picture is shown. */
  size(natural) {
    this.#natural = natural
    this.#apply()
  }

  reset() {
    clearTimeout(this.#timer)
    this.scale = 1
    this.#x = 0
    this.#y = 0
    this.#apply()
  }

  toggle(at) {
    this.zoomed ? this.reset() : this.to(Math.max(this.oneToOne, 1.5), at)
  }

  /** Zooms to a scale. The point under `at` (clientX, clientY) stays in place. */
  to(scale, at) {
    const box = this.#frame.getBoundingClientRect()
    const px = (at?.clientX ?? box.left + box.width / 2) - box.left - box.width / 2
    const py = (at?.clientY ?? box.top + box.height / 2) - box.top - box.height / 2
    const next = clamp(scale, 1, Math.max(8, this.oneToOne * 2))
    this.#x = px - ((px - this.#x) * next) / this.scale
    this.#y = py - ((py - this.#y) * next) / this.scale
    this.scale = next
    this.#apply()
  }

  pan(dx, dy) {
    this.#x += dx
    this.#y += dy
    this.#apply()
  }

  get #isTiny() {
    return Math.max(this.#natural.width, this.#natural.height) <= TINY
  }

  #fitted() {
    const { clientWidth, clientHeight } = this.#frame
    const maximum = this.#isTiny ? SQUARE : ENLARGED
    const ratio = Math.min(clientWidth / this.#natural.width, clientHeight / this.#natural.height, maximum)
    return { width: Math.max(1, this.#natural.width * ratio), height: Math.max(1, this.#natural.height * ratio) }
  }

  #apply() {
    const { width, height } = this.#fitted()
    const roomX = Math.max(0, (width * this.scale - this.#frame.clientWidth) / 2)
    const roomY = Math.max(0, (height * this.scale - this.#frame.clientHeight) / 2)
    this.#x = clamp(this.#x, -roomX, roomX)
    this.#y = clamp(this.#y, -roomY, roomY)
    this.#picture.style.width = `${width}px`
    this.#picture.style.height = `${height}px`
    this.#picture.toggleAttribute('data-tiny', this.#isTiny)
    this.#picture.style.transform = `translate(${this.#x}px, ${this.#y}px) scale(${this.scale})`
    this.#frame.dataset.zoomed = this.zoomed
    this.#changed(this.scale)
  }

  #down(event) {
    if (event.button > 0) return
    this.#frame.setPointerCapture(event.pointerId)
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
    this.#start = { x: event.clientX, y: event.clientY, at: event.timeStamp, target: event.target, many: this.#pointers.size > 1 }
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId)
    if (!before) return
    const now = { x: event.clientX, y: event.clientY }
    if (this.#pointers.size === 2) {
      const other = [...this.#pointers].find(([id]) => id !== event.pointerId)[1]
      const apart = (a) => Math.hypot(a.x - other.x, a.y - other.y) || 1
      this.to((this.scale * apart(now)) / apart(before), { clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 })
    } else if (this.zoomed) this.pan(now.x - before.x, now.y - before.y)
    this.#pointers.set(event.pointerId, now)
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId) || this.#start.many || event.type === 'pointercancel') return
    const dx = event.clientX - this.#start.x
    const dy = event.clientY - this.#start.y
    if (Math.hypot(dx, dy) < 6) return this.#pressed(event)
    if (this.zoomed || event.pointerType === 'mouse' || event.timeStamp - this.#start.at > 700) return
    if (Math.abs(dx) > 50 && Math.abs(dx) > Math.abs(dy)) this.#hands.swiped(dx < 0 ? 'left' : 'right')
    else if (dy > 80) this.#hands.swiped('down')
  }

  /** Handles a click or tap. A mouse click zooms, and a double click counts as one. A double tap zooms. */
  #pressed(event) {
    if (this.#hands.isHeld()) return
    const { clientX: x, clientY: y, timeStamp: at } = event
    const isSecond = this.#tap !== null && at - this.#tap.at < DOUBLE && Math.hypot(x - this.#tap.x, y - this.#tap.y) < NEAR
    this.#tap = isSecond ? null : { x, y, at }
    clearTimeout(this.#timer)
    if (event.pointerType !== 'mouse') isSecond ? this.toggle(event) : (this.#timer = setTimeout(this.#hands.tapped, DOUBLE))
    else if (this.#start.target !== this.#picture) this.#hands.missed()
    else if (!isSecond) this.toggle(event)
  }
}
