// Collects many small changes into one: in the next frame, after the scrolling has been dealt with, so that
// styles and places are reckoned once and nobody has to wait for them in between.

let next = null

/** Resolves in the next frame, for all who ask before it. */
export function nextFrame() {
  next ??= new Promise((resolve) =>
    requestAnimationFrame(() => {
      next = null
      resolve()
    }),
  )
  return next
}
