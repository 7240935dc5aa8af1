// Animations: a picture grows out of its cell and shrinks back into it.

const GROWTH = 180 // ms from the cell to the whole frame

const stillness = matchMedia('(prefers-reduced-motion: reduce)')

const timing = { duration: GROWTH, easing: 'cubic-bezier(.2, 0, 0, 1)' }

/** Returns the transform that moves a box to the centre of another box and scales it to that box's size. */
function between(box, other) {
  const [dx, dy] = [other.left + other.width / 2 - box.left - box.width / 2, other.top + other.height / 2 - box.top - box.height / 2]
  return `translate(${dx}px, ${dy}px) scale(${Math.max(other.width / box.width, other.height / box.height)})`
}

/** Animates `picture` from the box `from` to its current box. */
export function grow(picture, from) {
  if (!stillness.matches) picture.animate({ transform: [between(picture.getBoundingClientRect(), from), 'none'] }, timing)
}

/**
 * Copies `picture` before it is hidden. The returned function animates the copy over `root` to a box, if given.
 * @param {HTMLImageElement} picture
 * @param {ParentNode} root
 * @returns {(to?: DOMRect) => void}
 */
export function shrink(picture, root) {
  const box = picture.getBoundingClientRect()
  if (stillness.matches || !picture.hasAttribute('src') || !box.width) return () => {}
  const copy = new Image()
  copy.src = picture.src
  copy.alt = ''
  copy.className = 'leaving'
  for (const side of ['left', 'top', 'width', 'height']) copy.style[side] = `${box[side]}px`
  return (to) => {
    if (!to?.width) return
    root.append(copy)
    copy.animate({ transform: ['none', between(box, to)], opacity: [1, 1, 0] }, timing).finished.finally(() => copy.remove())
  }
}
