// The keys of the viewer.

import { toggleFullScreen } from '../header/header.js'

/** Functions by `KeyboardEvent.key`. `actions` are those of the buttons; arrows move a picture that is zoomed. */
export function viewerKeys(actions, zoom, { first, last }) {
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
    '*': actions.favorite,
    t: actions.filmstrip,
    f: toggleFullScreen,
  }
}

/** Calls the function of each key that is pressed in an element. */
export function hearKeys(element, keys) {
  element.addEventListener('keydown', (event) => {
    const key = keys[event.key]
    if (!key || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    key()
  })
}
