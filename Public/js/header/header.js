// The header above the pictures. On a phone it hides while the person scrolls down.

const TURN = 24 // px scrolled in one direction until the header hides or shows
const NEAR = 60 // px from the beginning within which the header always shows

export class Header {
  #root
  #narrow
  #distance = 0 // px scrolled since the last change of direction
  #away = false

  /** `byId(id)` finds the bar, the menu that it has on a phone, and the panels that its buttons open. */
  constructor(byId) {
    const [bar, fullScreen, tools, share, sharing, keys] = ['bar', 'full-screen', 'tools', 'share-open', 'sharing', 'keys-open'].map(byId)
    this.#root = document.documentElement
    this.#narrow = matchMedia('(width < 720px)')
    bar.addEventListener('focusin', () => this.#go(false))
    share.addEventListener('click', () => sharing.togglePopover())
    // The menu on a phone closes when one of its buttons is pressed.
    tools.addEventListener('click', (event) => event.target.closest('#tools > button') && tools.matches(':popover-open') && tools.hidePopover())
    keys.addEventListener('click', () => import('../keys/sheet.js').then(({ toggleKeys }) => toggleKeys(byId('keys'))))
    fullScreen.addEventListener('click', toggleFullScreen)
    document.addEventListener('fullscreenchange', () => fullScreen.setAttribute('aria-pressed', Boolean(document.fullscreenElement)))
  }

  /** Called when the content has moved by `delta` px to `top`. */
  moved(delta, top) {
    if (!this.#narrow.matches) return
    this.#distance = Math.sign(delta) === Math.sign(this.#distance) ? this.#distance + delta : delta
    if (top < NEAR || this.#distance < -TURN) this.#go(false)
    else if (this.#distance > TURN) this.#go(true)
  }

  #go(away) {
    if (away === this.#away) return
    this.#away = away
    this.#root.toggleAttribute('data-away', away)
  }
}

export function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen()
  else document.documentElement.requestFullscreen?.().catch(() => {}) // the browser may refuse; then nothing changes
}
