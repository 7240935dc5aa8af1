// The cell under the pointer is a link to its picture: it opens in a new tab, can be copied, and says its name.

/** `name(item)` is what the tooltip says, `address(item)` where the link leads. One link serves all cells: it goes to the one that is pointed at. */
export function linkCells(layer, name, address) {
  const link = document.createElement('a')
  link.className = 'link'
  link.tabIndex = -1
  link.draggable = false
  link.setAttribute('aria-hidden', 'true') // the cell itself says all this to those who hear the page
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

/** Where the viewer opens at an item; `id` is what it is, if known. */
export function addressOf(item, /** @type {string | undefined} */ id) {
  const url = new URL(location.href)
  for (const name of ['item', 'item-id', 'view-id', 'race', 'trace', 'dashboard', 'follow']) url.searchParams.delete(name)
  url.searchParams.set('view', item)
  if (id) url.searchParams.set('view-id', id)
  return url.href
}
