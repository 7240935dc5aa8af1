// Pointers, fingers, the wheel and keys on a canvas.

const CLICK = 4 // maximum px that a pointer moves during a click
const LINE = 16 // px of a line of the wheel

/**
 * Listens to the gestures on a canvas. A finger pans across only, so that the page still scrolls. `point` is called with NaN when the
 * pointer leaves. `key` returns whether it used the key.
 * @typedef {(x: number, y: number) => void} AtPoint In px of the canvas.
 * @typedef {(factor: number, x: number, y: number) => void} Zoom
 * @param {HTMLCanvasElement} canvas
 * @param {{pan: AtPoint, zoom: Zoom, point: AtPoint, click: AtPoint, fit: () => void, key: (key: string) => boolean}} actions
 */
export function listenToGestures(canvas, actions) {
  const down = new Map() // position by pointer
  let moved = 0 // px since the first pointer went down
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button) return
    moved = down.size ? Infinity : 0
    down.set(event.pointerId, [event.offsetX, event.offsetY])
    canvas.setPointerCapture(event.pointerId)
  })
  canvas.addEventListener('pointermove', ({ pointerId, pointerType, offsetX: x, offsetY: y }) => {
    const last = down.get(pointerId)
    if (!last) return void (down.size || actions.point(x, y))
    const [dx, dy] = [x - last[0], y - last[1]]
    const other = [...down].find(([id]) => id !== pointerId)?.[1]
    if (moved < CLICK && !other && (moved = Math.hypot(dx, dy)) < CLICK) return
    down.set(pointerId, [x, y])
    if (other) {
      actions.pan(dx / 2, dy / 2)
      const [before, now] = [last, [x, y]].map((point) => Math.hypot(point[0] - other[0], point[1] - other[1]))
      actions.zoom(now / Math.max(1, before), (x + other[0]) / 2, (y + other[1]) / 2)
    } else actions.pan(dx, pointerType === 'touch' ? 0 : dy)
  })
  canvas.addEventListener('pointerup', ({ pointerId, offsetX, offsetY }) => {
    if (down.delete(pointerId) && moved < CLICK) actions.click(offsetX, offsetY)
  })
  canvas.addEventListener('pointercancel', ({ pointerId }) => void down.delete(pointerId))
  canvas.addEventListener('pointerleave', () => actions.point(NaN, NaN))
  canvas.addEventListener('dblclick', () => actions.fit())
  canvas.addEventListener('wheel', (event) => {
    // If the canvas has no focus, the wheel scrolls the dashboard.
    if (!event.ctrlKey && document.activeElement !== canvas) return
    event.preventDefault()
    const unit = event.deltaMode ? LINE : 1
    const [dx, dy] = event.shiftKey && !event.deltaX ? [event.deltaY, 0] : [event.deltaX, event.deltaY]
    if (Math.abs(dx) > Math.abs(dy)) actions.pan(-dx * unit, 0)
    else actions.zoom(Math.exp(-dy * unit * (event.ctrlKey ? 0.01 : 0.002)), event.offsetX, event.offsetY)
  }, { passive: false })
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !actions.key(event.key)) return
    event.preventDefault()
    event.stopPropagation()
  })
}
