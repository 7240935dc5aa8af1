// The menu at the gallery's name for switching to another gallery. Shown if the address names a gallery.

import { address, get } from '../session/api.js'
import { galleryAddress } from './start.js'

const number = new Intl.NumberFormat('en')

/** Fills the `menu` whenever the `button` opens it. `current()` returns the gallery on show. */
export async function offerGalleries(button, menu, current) {
  const galleries = await all()
  button.disabled = false
  menu.addEventListener('beforetoggle', async (event) => {
    if (event.newState !== 'open') return
    fill(menu, galleries, current())
    fill(menu, await all().catch(() => galleries), current()) // galleries may have been added or deleted
  })
}

/** Resolves to the galleries, without arrangements of other galleries. */
async function all() {
  return (await get('api/v1/galleries')).galleries.filter(({ of }) => !of)
}

function fill(menu, galleries, current) {
  const links = galleries.map((gallery) => {
    const link = entry(galleryAddress(gallery), gallery.title, number.format(gallery.itemCount))
    if (gallery.id === current?.id) link.setAttribute('aria-current', 'page')
    return link
  })
  menu.replaceChildren(...links, entry(address('.'), 'All galleries', ''))
}

function entry(href, title, count) {
  const link = document.createElement('a')
  link.href = href
  const [name, small] = [document.createElement('span'), document.createElement('small')]
  name.textContent = title
  small.textContent = count
  link.append(name, small)
  return link
}
