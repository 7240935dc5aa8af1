// The facts on a narrow screen: a sheet below the picture, as high as a person drags it.

const HALF = 0.45 // of the stage, in which it opens
const TALL = 0.85
const LEAST = 0.2 // let go below this it closes
const CLICK = 6 // px of movement up to which a press of the handle is a click

const clamp = (x, low, high) => Math.min(Math.max(x, low), high)

export class Sheet {
  #panel
  #close
  #share = HALF

  /** `handle` stands at the top of the `panel`; `close()` is called when it is dragged down. */
  constructor(panel, handle, close) {
    this.#panel = panel
    this.#close = close
    let start = null
    let isDragged = false // a drag ends with a click, too
    handle.addEventListener('pointerdown', (event) => {
      handle.setPointerCapture(event.pointerId)
      start = { y: event.clientY, share: this.#share }
    })
    handle.addEventListener('pointermove', (event) => {
      if (start) this.#size(start.share + (start.y - event.clientY) / Math.max(1, panel.parentElement.clientHeight))
    })
    handle.addEventListener('pointerup', (event) => {
      isDragged = Boolean(start) && Math.abs(start.y - event.clientY) > CLICK
      start = null
      if (isDragged) this.#settle()
    })
    handle.addEventListener('pointercancel', () => {
      start = null
      this.#settle()
    })
    handle.addEventListener('click', () => {
      if (!isDragged) this.#size(this.#share < TALL ? TALL : HALF)
      isDragged = false
    })
    this.#size(HALF)
  }

  /** Gives it the height in which it opens. */
  open() {
    this.#size(HALF)
  }

  #settle() {
    if (this.#share < LEAST) this.#close()
    else this.#size(this.#share < (HALF + TALL) / 2 ? HALF : TALL)
  }

  #size(share) {
    this.#share = clamp(share, 0.08, TALL)
    this.#panel.parentElement.style.setProperty('--sheet', String(this.#share))
  }
}
