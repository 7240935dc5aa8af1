// Batches small changes into the next frame, after scrolling was handled, so that styles and positions are computed only once.

let next = null

/** Returns a promise that resolves in the next frame. Calls before that frame share the promise. */
export function nextFrame() {
  next ??= new Promise((resolve) =>
    requestAnimationFrame(() => {
      next = null
      resolve()
    }),
  )
  return next
}
