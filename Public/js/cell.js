// One cell of the grid. It is recycled: everything it shows belongs to the item it has now, or it shows nothing.

const HUES = 12

export class Cell {
  /** `describe(item)` gives its name and `color(item)` its average colour, '' while unknown. */
  constructor({ pictures, describe, color }) {
    Object.assign(this, { pictures, describe, color })
    this.item = -1
    this.source = null
    const element = (this.element = document.createElement('div'))
    element.className = 'cell'
    element.role = 'gridcell'
    element.tabIndex = -1
    const image = (this.image = document.createElement('img'))
    image.alt = ''
    image.decoding = 'async'
    image.draggable = false
    // Setting `src` keeps the picture before it on show until the next has loaded, and a late `load` may belong to
    // either: `currentSrc` names the one that is really there.
    image.addEventListener('load', () => {
      if (this.source && image.currentSrc === this.source.src) this.#show()
    })
    image.addEventListener('error', () => {
      if (!this.source || image.currentSrc !== this.source.src) return
      this.pictures.fail({ item: this.item, reason: 'The picture cannot be read.', retryable: true })
      this.refresh()
    })
    element.append(image)
  }

  /** Gives the cell to an item, and shows at once what there is of it. */
  assign(item) {
    if (item === this.item) return this.refresh() // its picture may have come while the cell was put aside
    this.item = item
    this.element.dataset.item = item
    this.element.dataset.hue = ((item * 2654435761) >>> 0) % HUES
    this.#clear()
    this.learn()
    this.refresh()
  }

  /** Takes up what has become known about the item. */
  learn() {
    if (this.state !== 'failed') this.element.setAttribute('aria-label', this.describe(this.item))
    const color = this.color(this.item)
    if (this.tint !== color) this.element.style.backgroundColor = this.tint = color
  }

  /** Catches up with what is held; `fresh` when the picture just came, so that it may fade in. */
  refresh(fresh = false) {
    const picture = this.pictures.get(this.item)
    if (picture) {
      if (picture === this.source) return
      this.#unfail()
      // A picture of the same item in another size stays on show until this one has loaded.
      if (!this.source) this.image.classList.remove('shown')
      this.image.classList.toggle('fresh', fresh && !this.source)
      this.source = picture
      this.image.src = picture.src
      return
    }
    const failure = this.pictures.failure(this.item)
    if (failure) {
      this.#clear()
      this.#fail(failure)
    } else if (!this.source) {
      this.#unfail()
      this.state = 'waiting'
    }
  }

  /** Empties the cell: what it showed is no longer true. */
  forget() {
    this.item = -1
    this.#clear()
  }

  retry() {
    this.#unfail()
    this.state = 'waiting'
    this.element.setAttribute('aria-label', this.describe(this.item))
  }

  set state(value) {
    if (this.element.dataset.state !== value) this.element.dataset.state = value
  }

  get state() {
    return this.element.dataset.state
  }

  place(x, y, width, height) {
    const style = this.element.style
    style.left = `${x}px`
    style.top = `${y}px`
    style.width = `${width}px`
    style.height = `${height}px`
  }

  #show() {
    this.image.classList.add('shown')
    this.state = 'ready'
  }

  #clear() {
    this.source = null
    this.image.classList.remove('shown', 'fresh')
    if (this.image.hasAttribute('src')) this.image.removeAttribute('src')
    this.#unfail()
    this.state = 'waiting'
  }

  #fail({ reason, retryable }) {
    if (!this.problem) {
      this.problem = document.createElement('span')
      this.problem.className = 'problem'
      this.problem.append(document.createElement('b'), document.createElement('small'))
      this.element.append(this.problem)
    }
    const [what, why] = this.problem.children
    what.textContent = retryable ? 'Try again' : 'No picture'
    why.textContent = reason
    this.problem.title = reason
    this.state = 'failed'
    this.element.setAttribute('aria-label', `${this.describe(this.item)}, failed: ${reason}`)
  }

  #unfail() {
    this.problem?.remove()
    this.problem = null
  }
}
