// Canvases with CSS pixels as units, sharp on every screen.

// Reading a canvas's size in the middle of a frame would force the browser to lay out the page immediately.
const sizes = new WeakMap()
const watcher = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) sizes.set(target, contentRect)
})

/** Sets the resolution of a canvas to that of the screen. Returns its context, scaled to CSS pixels, and its size in CSS pixels. */
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
