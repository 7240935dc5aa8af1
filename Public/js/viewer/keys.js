// The keys of the viewer.

import { toggleFullScreen } from '../header/header.js'

/** Functions by `KeyboardEvent.key`. `actions` are those of the buttons; arrows move a picture that is zoomed, Space plays a film. */
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

const OF_CONTROLS = [' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'] // by these a film is moved about

/** Whether what has the focus makes something of a key by itself. */
function isTaken({ key, target }) {
  return target.matches('video') ? OF_CONTROLS.includes(key) : key === ' ' && target.matches('button, a, [role="option"]')
}

/** Calls the function of each key that is pressed in an element. */
export function hearKeys(element, keys) {
  element.addEventListener('keydown', (event) => {
    const key = keys[event.key]
    if (!key || isTaken(event) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    key()
  })
}
