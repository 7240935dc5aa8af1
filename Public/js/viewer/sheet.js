// The facts on a narrow screen: a sheet below the picture, as high as a person drags it.

const HALF = 0.45 // of the stage, in which it opens
const TALL = 0.85
const LEAST = 0.2 // let go below this it closes
const AFTER = 100 // ms after a drag in which its click comes
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
      // The click that ends a mouse's drag means nothing; a key's has no pointer.
      if (detail === 0 || timeStamp - dragged > AFTER) this.#size(this.#share < TALL ? TALL : HALF)
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
