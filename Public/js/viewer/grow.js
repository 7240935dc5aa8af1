// A picture grows out of its cell.

const GROWTH = 180 // ms from the cell to the whole frame

const stillness = matchMedia('(prefers-reduced-motion: reduce)')

/** Animates `picture` from the box that it had to the one that it has. */
export function grow(picture, from) {
  if (stillness.matches) return
  const to = picture.getBoundingClientRect()
  const [dx, dy] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2]
  const scale = Math.max(from.width / to.width, from.height / to.height)
  picture.animate({ transform: [`translate(${dx}px, ${dy}px) scale(${scale})`, 'none'] }, { duration: GROWTH, easing: 'cubic-bezier(.2, 0, 0, 1)' })
}
