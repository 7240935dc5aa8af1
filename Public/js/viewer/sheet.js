// The facts on a narrow screen: a sheet below the picture. The person can drag it to another height.

const HALF = 0.45 // initial height, as a share of the stage
const TALL = 0.85
const MINIMUM = 0.2 // a sheet released below this share closes
const AFTER = 100 // ms after a drag in which the click that ends it arrives
const CLICK = 6 // px of movement up to which pressing the handle is a click

const clamp = (x, low, high) => Math.min(Math.max(x, low), high)

export class Sheet {
  #panel
  #close
  #share = HALF

  /** `handle` is the element at the top of `panel` that is dragged. `close()` is called when the sheet is dragged down. */
  constructor(panel, handle, close) {
    this.#panel = panel
    this.#close = close
    let start = null
    let dragged = -Infinity // when the last drag ended
    handle.addEventListener('pointerdown', (event) => {
      handle.setPointerCapture(event.pointerId)
      start = { y: event.clientY, share: this.#share }
    })
    handle.addEventListener('pointermove', (event) => {
      if (start) this.#size(start.share + (start.y - event.clientY) / Math.max(1, panel.parentElement.clientHeight))
    })
    handle.addEventListener('pointerup', (event) => {
      const isDrag = start && Math.abs(start.y - event.clientY) > CLICK
      start = null
      if (!isDrag) return
      dragged = event.timeStamp
      this.#settle()
    })
    handle.addEventListener('pointercancel', () => {
      start = null
      this.#settle()
    })
    handle.addEventListener('click', ({ detail, timeStamp }) => {
      // Ignore the click that ends a mouse drag. Clicks from the keyboard have `detail` 0.
      if (detail === 0 || timeStamp - dragged > AFTER) this.#size(this.#share < TALL ? TALL : HALF)
    })
    this.#size(HALF)
  }

  /** Resets the sheet to its initial height. */
  open() {
    this.#size(HALF)
  }

  #settle() {
    if (this.#share < MINIMUM) this.#close()
    else this.#size(this.#share < (HALF + TALL) / 2 ? HALF : TALL)
  }

  #size(share) {
    this.#share = clamp(share, 0.08, TALL)
    this.#panel.parentElement.style.setProperty('--sheet', String(this.#share))
  }
}
