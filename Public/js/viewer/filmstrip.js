// A row of small pictures around the open one. Only the visible ones are elements. In a large gallery, the row covers only a range
// around the open picture and is moved when the person nears its end.

const STEP = 68 // px from one picture to the next
const REACH = 1000 // pictures on either side in the row
const ROOM = 50 // the row is moved if fewer pictures are left to its end
const MARGIN = 4 // extra pictures beyond the visible ones
const PAUSE = 120 // ms without scrolling before missing pictures are loaded

const stillness = matchMedia('(prefers-reduced-motion: reduce)')

export class Filmstrip {
  isOpen = false
  #strip
  #film
  #button
  #sources
  #cells = new Map() // by item
  #from = 0 // first item of the row
  #to = 0
  #itemCount = 0
  #item = -1 // the open picture
  #timer = 0

  /**
   * `thumbnails.get(item)` returns a loaded thumbnail, `name(item)` a name, `address(item)` the address of a missing thumbnail.
   * `learn(range)` resolves to true if more names are known. `go(item)` opens a picture. `crossOrigin()` returns the images' CORS setting.
   */
  constructor(strip, button, sources) {
    this.#strip = strip
    this.#film = strip.firstElementChild
    this.#button = button
    this.#sources = sources
    strip.addEventListener('scroll', () => this.#scrolled(), { passive: true })
    strip.addEventListener('click', ({ target }) => {
      const cell = target.closest('[role="option"]')
      if (cell) sources.go(Number(cell.dataset.item))
    })
    // A vertical wheel scrolls the row sideways.
    strip.addEventListener('wheel', (event) => {
      if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return
      event.preventDefault()
      strip.scrollLeft += event.deltaY
    }, { passive: false })
  }

  begin(itemCount) {
    this.#itemCount = itemCount
    this.#from = this.#to = 0
    for (const item of [...this.#cells.keys()]) this.#drop(item)
  }

  toggle(isOpen = !this.isOpen) {
    this.isOpen = isOpen
    this.#button.setAttribute('aria-pressed', String(isOpen))
    this.#strip.hidden = !isOpen
    if (isOpen) this.show(this.#item)
    else this.begin(this.#itemCount)
  }

  /** Call this when the width of the window has changed. */
  resize() {
    this.begin(this.#itemCount)
    this.show(this.#item)
  }

  /** Marks the open picture and scrolls to it. */
  show(item) {
    const before = this.#item
    this.#item = item
    if (!this.isOpen || item < 0) return
    const hadFocus = this.#strip.querySelector(':focus') !== null
    const isNear = this.#to > 0 && Math.abs(item - before) * STEP < this.#strip.clientWidth
    this.#reach(item)
    this.#strip.scrollTo({ left: (item - this.#from) * STEP, behavior: isNear && !stillness.matches ? 'smooth' : 'instant' })
    this.#render()
    this.#fill()
    if (hadFocus) this.#cells.get(item).focus({ preventScroll: true })
  }

  /** Moves the row, if necessary, so that it has room on both sides of an item. Visible pictures stay in place. */
  #reach(item) {
    const isClear = (this.#from === 0 || item - this.#from > ROOM) && (this.#to === this.#itemCount || this.#to - item > ROOM)
    if (this.#to > 0 && item >= this.#from && item < this.#to && isClear) return
    const left = this.#strip.scrollLeft + this.#from * STEP
    this.#from = Math.max(0, item - REACH)
    this.#to = Math.min(this.#itemCount, item + REACH + 1)
    for (const [other, cell] of this.#cells) this.#put(cell, other)
    this.#film.style.width = `${(this.#to - this.#from - 1) * STEP + this.#strip.clientWidth}px`
    this.#strip.scrollLeft = left - this.#from * STEP
  }

  get #inSight() {
    const { scrollLeft, clientWidth } = this.#strip
    const middle = this.#from + Math.round(scrollLeft / STEP)
    const half = Math.ceil(clientWidth / STEP / 2)
    return { from: Math.max(this.#from, middle - half), to: Math.min(this.#to, middle + half + 1), middle }
  }

  #scrolled() {
    if (!this.isOpen) return
    this.#reach(Math.min(this.#itemCount - 1, Math.max(0, this.#inSight.middle)))
    this.#render()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fill(), PAUSE)
  }

  /** Adds the visible pictures and the open one, and removes all others. */
  #render() {
    const { from, to } = this.#inSight
    const wanted = new Set([this.#item])
    for (let item = Math.max(this.#from, from - MARGIN); item < Math.min(this.#to, to + MARGIN); item++) wanted.add(item)
    for (const item of [...this.#cells.keys()]) if (!wanted.has(item)) this.#drop(item)
    for (const item of wanted) {
      const cell = this.#cells.get(item) ?? this.#make(item)
      const isCurrent = item === this.#item
      cell.setAttribute('aria-selected', String(isCurrent))
      cell.tabIndex = isCurrent ? 0 : -1
    }
  }

  /** Loads missing thumbnails and names of the visible pictures. */
  #fill() {
    if (!this.isOpen) return
    const { from, to } = this.#inSight
    this.#sources.learn({ from: Math.max(0, from - MARGIN), to: to + MARGIN }).then((isNew) => {
      for (const [item, cell] of this.#cells) {
        if (isNew) cell.setAttribute('aria-label', this.#sources.name(item))
        if (!cell.firstChild.hasAttribute('src')) cell.firstChild.src = this.#sources.address(item)
      }
    })
  }

  #make(item) {
    const cell = document.createElement('div')
    cell.dataset.item = String(item)
    const words = { 'aria-label': this.#sources.name(item), 'aria-posinset': item + 1, 'aria-setsize': this.#itemCount, role: 'option' }
    for (const [name, value] of Object.entries(words)) cell.setAttribute(name, String(value))
    const picture = document.createElement('img')
    picture.alt = ''
    picture.draggable = false
    picture.crossOrigin = this.#sources.crossOrigin()
    const held = this.#sources.thumbnails.get(item)
    if (held) picture.src = held.src
    cell.append(picture)
    this.#put(cell, item)
    this.#cells.set(item, cell)
    // Screen readers follow the order of the elements.
    const next = [...this.#film.children].find((other) => Number(other.dataset.item) > item)
    this.#film.insertBefore(cell, next ?? null)
    return cell
  }

  #put(cell, item) {
    cell.style.left = `calc(50cqw + ${(item - this.#from) * STEP - STEP / 2}px)`
  }

  /** Removes a picture. Removing its address stops the download. */
  #drop(item) {
    const cell = this.#cells.get(item)
    cell.firstChild.removeAttribute('src')
    cell.remove()
    this.#cells.delete(item)
  }
}
