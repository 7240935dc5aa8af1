// Where the keys lead in a grid, by the geometry of its layout.

/**
 * The item that a key leads to from `item`; null where it leads nowhere, undefined where the key is not one of these.
 * @param {{key: string, ctrlKey: boolean}} event
 * @param {number} height Of the viewport, px.
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

/** A viewport of rows further, less one. */
function page(layout, item, direction, height) {
  const frame = layout.frame(item)
  if (!frame) return null
  const rows = Math.max(1, Math.floor(height / (layout.pitch ?? frame.height)) - 1)
  for (let row = 0; row < rows; row++) item = layout.neighbour(item, direction) ?? item
  return item
}
