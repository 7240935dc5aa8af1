// Questions of the tests to the page. They look only at what a person can see: the document and the pixels of its pictures, never the
// page's variables.

const probe = {
  canvas: document.createElement('canvas'),

  get scroller() {
    return document.getElementById('scroller')
  },

  get layout() {
    return /** @type {HTMLInputElement} */ (document.querySelector('#layout :checked')).value
  },

  /** @param {string} kind */
  choose(kind) {
    /** @type {HTMLElement} */ (document.querySelector(`#layout [value="${kind}"]`)).click()
  },

  /** @returns {Promise<number>} */
  frame: () => new Promise(requestAnimationFrame),

  /**
   * Waits until `condition` is true. A condition that throws is not true yet.
   * @param {() => unknown} condition
   * @param {string} why what the test waits for
   */
  async until(condition, why, milliseconds = 60000) {
    const end = performance.now() + milliseconds
    for (;;) {
      let [value, fault] = [null, '']
      try {
        value = await condition()
      } catch (error) {
        fault = `${error}; `
      }
      if (value) return value
      if (performance.now() > end) {
        throw new Error(`${why}: not within ${milliseconds} ms; ${fault}${JSON.stringify(probe.summary())}`)
      }
      await probe.frame()
    }
  },

  /** Waits until nothing has moved for twenty frames. */
  async calm(element = probe.scroller) {
    let [last, frames] = [NaN, 0]
    await probe.until(() => {
      const top = element.scrollTop
      frames = top === last ? frames + 1 : 0
      last = top
      return frames > 20
    }, 'rest')
  },

  /** Returns the distance of two rows of a grid, in pixels. */
  pitch() {
    const tops = [...new Set(probe.visible().map((cell) => Math.round(cell.getBoundingClientRect().top)))].sort((a, b) => a - b)
    return tops[2] - tops[1]
  },

  /**
   * Returns the cells of which a person sees at least a pixel, in reading order.
   * @returns {HTMLElement[]}
   */
  visible() {
    if (!probe.scroller) return []
    const box = probe.scroller.getBoundingClientRect()
    return /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.cell')]).filter((cell) => {
      const r = cell.getBoundingClientRect()
      return r.height > 0 && r.bottom > box.top + 0.5 && r.top < box.bottom - 0.5
    })
  },

  /**
   * Returns the visible cell of an item. Rows that are kept for reuse still have the items that they showed last.
   * @param {number} item
   */
  cell: (item) => probe.visible().find((cell) => Number(cell.dataset.item) === item),

  /** Returns the name of a picture, which ends the label of its cell. @param {HTMLElement} cell */
  name: (cell) => cell?.getAttribute('aria-label')?.split(', ').at(-1),

  items: () => probe.visible().map((cell) => Number(cell.dataset.item)),

  /**
   * Returns the item that a demo picture has in its pixels, -1 if the cell shows no picture, or -2 if the pixels are not readable.
   * @param {HTMLElement} cell
   */
  number: (cell) => (probe.hasPicture(cell) ? probe.decode(cell.querySelector('img')) : -1),

  /** @param {HTMLElement} cell */
  hasPicture(cell) {
    const image = cell.querySelector('img')
    return image.complete && image.naturalWidth > 0 && getComputedStyle(image).opacity !== '0'
  },

  /** Whether a cell shows a blur of its picture. @param {HTMLElement} cell */
  isBlurred(cell) {
    const canvas = cell.querySelector('canvas')
    return canvas !== null && !canvas.hidden
  },

  /** Returns the number of visible cells that show nothing of their picture: no picture, no blur and no colour. */
  grey: () => probe.visible().filter((cell) => !probe.hasPicture(cell) && !probe.isBlurred(cell) && !cell.style.backgroundColor).length,

  /**
   * Reads the film edge of a demo picture, as the catalogue documents it.
   * @param {HTMLImageElement} image
   */
  decode(image) {
    const [width, height] = [image.naturalWidth, image.naturalHeight]
    const top = Math.floor(height * 0.9)
    Object.assign(probe.canvas, { width, height: height - top })
    const context = probe.canvas.getContext('2d', { willReadFrequently: true })
    context.drawImage(image, 0, -top)
    const { data } = context.getImageData(0, 0, width, height - top)
    const cells = []
    for (let i = 0; i < 32; i++) {
      const [x, y] = [(((i % 16) + 0.5) * width) / 16, height * 0.9 + ((i >> 4) + 0.5) * height * 0.05]
      let [sum, count] = [0, 0]
      for (let v = Math.floor(y - height * 0.01); v <= Math.floor(y + height * 0.01); v++) {
        for (let u = Math.floor(x - width * 0.01); u <= Math.floor(x + width * 0.01); u++) {
          const at = ((Math.min(v, height - 1) - top) * width + Math.min(u, width - 1)) * 4
          sum += data[at] + data[at + 1] + data[at + 2]
          count++
        }
      }
      cells.push(sum / count)
    }
    if (cells[0] - cells[31] < 150) return -2
    const middle = (cells[0] + cells[31]) / 2
    let word = 0
    for (let i = 1; i < 31; i++) word = word * 2 + (cells[i] > middle ? 1 : 0)
    const number = Math.floor(word / 64)
    const check = (number ^ (number >> 6) ^ (number >> 12) ^ (number >> 18) ^ 45) & 63
    return word % 64 === check ? number - 1 : -2 // people count from 1
  },

  /** Whether the page is connected, and each visible cell shows all of its own picture. */
  filled() {
    const cells = document.documentElement.dataset.connection ? probe.visible() : []
    // The pictures are read once all are there, because reading takes longer than a frame.
    return cells.length > 0 && cells.every(probe.hasPicture) && cells.every((cell) => probe.number(cell) === Number(cell.dataset.item))
  },

  /** Returns a visible picture that belongs to another item, or null. */
  stranger() {
    for (const cell of probe.visible()) {
      const number = probe.number(cell)
      if (number !== -1 && number !== Number(cell.dataset.item)) return { item: Number(cell.dataset.item), shows: number }
    }
    return null
  },

  summary() {
    const cells = probe.visible()
    return {
      connection: document.documentElement.dataset.connection,
      items: [probe.items()[0], probe.items().at(-1)],
      cells: cells.length,
      shown: cells.filter((cell) => probe.number(cell) >= 0).length,
      failed: cells.filter((cell) => cell.dataset.state === 'failed').length,
      stranger: probe.stranger(),
    }
  },

  /** Returns the place of a visible cell, in pixels of the viewport. @param {number} item */
  box(item) {
    const r = probe.cell(item)?.getBoundingClientRect()
    return r && { x: r.left + r.width / 2, y: r.top + r.height / 2, top: r.top, left: r.left, width: r.width, height: r.height }
  },

  focused: () => Number(/** @type {HTMLElement} */ (document.activeElement)?.dataset?.item ?? -1),

  /** @param {string} path */
  get: async (path) => (await fetch(path)).json(),
}
