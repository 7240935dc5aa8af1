// The line above the pictures: away on a phone while one scrolls down, and a button for the full screen.

const TURN = 24 // px in one direction after which the header goes or comes back
const NEAR = 60 // px from the beginning, where it always shows

export class Header {
  #root
  #narrow
  #way = 0 // px since the direction turned
  #away = false

  /** `byId(id)` finds the elements: the bar, the menu of a phone in it, and what its buttons open. */
  constructor(byId) {
    const [bar, fullScreen, tools, share, sharing, keys] = ['bar', 'full-screen', 'tools', 'share-open', 'sharing', 'keys-open'].map(byId)
    this.#root = document.documentElement
    this.#narrow = matchMedia('(width < 720px)')
    bar.addEventListener('focusin', () => this.#go(false))
    share.addEventListener('click', () => sharing.togglePopover())
    // The menu of a phone goes when a button of it has opened something.
    tools.addEventListener('click', (event) => event.target.closest('#tools > button') && tools.matches(':popover-open') && tools.hidePopover())
    keys.addEventListener('click', () => import('../keys/sheet.js').then(({ toggleKeys }) => toggleKeys(byId('keys'))))
    fullScreen.addEventListener('click', toggleFullScreen)
    document.addEventListener('fullscreenchange', () => fullScreen.setAttribute('aria-pressed', Boolean(document.fullscreenElement)))
  }

  /** The content moved by `delta` px and now stands at `top`. */
  moved(delta, top) {
    if (!this.#narrow.matches) return
    this.#way = Math.sign(delta) === Math.sign(this.#way) ? this.#way + delta : delta
    if (top < NEAR || this.#way < -TURN) this.#go(false)
    else if (this.#way > TURN) this.#go(true)
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
