// Keyboard control of the viewer.

import { toggleFullScreen } from '../header/header.js'

/** Returns functions by `KeyboardEvent.key`. `actions` are the buttons' actions. Arrow keys move a zoomed picture. Space plays a video. */
export function viewerKeys(actions, zoom, film, { first, last }) {
  return {
    ArrowLeft: () => (zoom.zoomed ? zoom.pan(80, 0) : actions.previous()),
    ArrowRight: () => (zoom.zoomed ? zoom.pan(-80, 0) : actions.next()),
    ArrowUp: () => zoom.pan(0, 80),
    ArrowDown: () => zoom.pan(0, -80),
    PageUp: actions.previous,
    PageDown: actions.next,
    Home: first,
    End: last,
    z: actions.zoom,
    '+': () => zoom.to(zoom.scale * 1.4),
    '-': () => zoom.to(zoom.scale / 1.4),
    s: actions.play,
    i: actions.facts,
    t: actions.filmstrip,
    f: toggleFullScreen,
    k: () => film.toggle(),
    ' ': () => film.toggle(),
  }
}

const OF_CONTROLS = [' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'] // keys that a video element handles itself

/** Whether the focused element handles a key itself. */
function isTaken({ key, target }) {
  return target.matches('video') ? OF_CONTROLS.includes(key) : key === ' ' && target.matches('button, a, [role="option"]')
}

export function listenToKeys(element, keys) {
  element.addEventListener('keydown', (event) => {
    const key = keys[event.key]
    if (!key || isTaken(event) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    key()
  })
}
