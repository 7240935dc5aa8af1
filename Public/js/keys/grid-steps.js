// Finds the item to which a key moves in a grid, by the geometry of the layout.

/**
 * Returns the item to which a key moves from `item`; null if there is none, undefined if the key does not move in a grid.
 * @param {{key: string, ctrlKey: boolean}} event
 * @param {number} height Height of the viewport, px.
 */
export function keyTarget({ key, ctrlKey }, layout, item, height) {
  switch (key) {
    case 'ArrowLeft': return layout.neighbour(item, 'left')
    case 'ArrowRight': return layout.neighbour(item, 'right')
    case 'ArrowUp': return layout.neighbour(item, 'up')
    case 'ArrowDown': return layout.neighbour(item, 'down')
    case 'Home': return ctrlKey ? 0 : layout.rowEnds(item).first
    case 'End': return ctrlKey ? layout.itemCount - 1 : layout.rowEnds(item).last
    case 'PageUp': return page(layout, item, 'up', height)
    case 'PageDown': return page(layout, item, 'down', height)
    default: return undefined
  }
}

/** Moves by one row less than the viewport holds, at least by one. */
function page(layout, item, direction, height) {
  const frame = layout.frame(item)
  if (!frame) return null
  const rows = Math.max(1, Math.floor(height / (layout.pitch ?? frame.height)) - 1)
  for (let row = 0; row < rows; row++) item = layout.neighbour(item, direction) ?? item
  return item
}
