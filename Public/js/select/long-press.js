// Detects a long press of a finger on a cell.

const LONG = 450 // ms until a press is long; less than the browser's own menu needs
const STILL = 10 // px by which the finger may move

export class LongPress {
  #timer = 0
  #from = { x: 0, y: 0, time: 0 }
  #item = -1
  #fired = false
  #pressed

  /** `pressed(item)` is called for each long press on a cell of `layer`. */
  constructor(layer, pressed) {
    this.#pressed = pressed
    layer.addEventListener('pointerdown', (event) => this.#down(event), { passive: true })
    layer.addEventListener('pointermove', (event) => this.#moved(event), { passive: true })
    layer.addEventListener('pointerup', (event) => this.#up(event), { passive: true })
    layer.addEventListener('pointercancel', () => this.#stop(), { passive: true })
    layer.addEventListener('contextmenu', (event) => this.#fired && event.preventDefault())
  }

  /** Whether a long press has just fired, so that the click after it must be ignored. Reading this resets it. */
  get hasJustFired() {
    const hasFired = this.#fired
    this.#fired = false
    return hasFired
  }

  #down({ target, pointerType, isPrimary, clientX, clientY, timeStamp }) {
    this.#fired = false
    this.#stop()
    const cell = target.closest('.cell')
    if (!cell || pointerType !== 'touch' || !isPrimary) return
    this.#from = { x: clientX, y: clientY, time: timeStamp }
    this.#item = Number(cell.dataset.item)
    this.#timer = setTimeout(() => this.#fire(), LONG)
  }

  /** Fires the long press if its timer is late: on a busy page the finger may be lifted first. */
  #up({ timeStamp }) {
    if (this.#timer && timeStamp - this.#from.time >= LONG) this.#fire()
    else this.#stop()
  }

  #fire() {
    this.#stop()
    this.#fired = true
    navigator.vibrate?.(10)
    this.#pressed(this.#item)
  }

  #stop() {
    clearTimeout(this.#timer)
    this.#timer = 0
  }

  #moved({ clientX, clientY }) {
    if (Math.hypot(clientX - this.#from.x, clientY - this.#from.y) > STILL) this.#stop()
  }
}
