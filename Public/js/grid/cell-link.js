// Makes the cell under the pointer a link to its picture, for opening in a new tab, copying the address, and a tooltip with the name.

/** `name(item)` returns the tooltip, `address(item)` its target. All cells share a link, which moves with the pointer. */
export function linkCells(layer, name, address) {
  const link = document.createElement('a')
  link.className = 'link'
  link.tabIndex = -1
  link.draggable = false
  link.setAttribute('aria-hidden', 'true') // the cell itself is labelled for screen readers
  for (const type of ['pointerover', 'pointerdown']) {
    layer.addEventListener(type, ({ target }) => {
      const cell = target.closest('.cell')
      if (!cell || cell.dataset.state === 'failed') return link.remove()
      const item = Number(cell.dataset.item)
      link.href = address(item)
      link.title = name(item)
      if (link.parentNode !== cell) cell.append(link)
    }, { passive: true })
  }
}

/** Returns the address of the page with the viewer open at an item. `id` is the picture's id, if known. */
export function addressOf(item, /** @type {string | undefined} */ id) {
  const url = new URL(location.href)
  for (const name of ['item', 'item-id', 'view-id', 'race', 'trace', 'dashboard', 'follow']) url.searchParams.delete(name)
  url.searchParams.set('view', item)
  if (id) url.searchParams.set('view-id', id)
  return url.href
}
