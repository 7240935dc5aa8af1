// Canvases in CSS pixels, sharp on every screen.

// Asking a canvas for its size in the middle of a frame would make the browser lay out the page then and there.
const sizes = new WeakMap()
const watcher = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) sizes.set(target, contentRect)
})

/** A canvas whose pixels are the screen's, drawn on in CSS pixels. */
export function sized(canvas) {
  if (!sizes.get(canvas)?.width) {
    sizes.set(canvas, { width: canvas.clientWidth, height: canvas.clientHeight })
    watcher.observe(canvas)
  }
  const { width, height } = sizes.get(canvas)
  const ratio = devicePixelRatio || 1
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
  }
  const context = canvas.getContext('2d')
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  return { context, width, height }
}
