// Where there are several galleries: a card for each.

import { dated } from '../scrubber/labels.js'
import { address } from '../session/api.js'

const number = new Intl.NumberFormat('en')
const kinds = { folder: 'Folder', list: 'List', demo: 'Painted pictures' }

/** Shows the galleries in `root`, in place of the pictures. */
export function showStart(root, galleries) {
  document.documentElement.dataset.start = ''
  document.title = 'Lookahead'
  document.getElementById('title').textContent = 'Lookahead'
  document.getElementById('count').textContent = `${number.format(galleries.length)} galleries`
  root.replaceChildren(...galleries.map(card))
  root.hidden = false
}

export const galleryAddress = ({ id }) => address(`.?gallery=${encodeURIComponent(id)}`)

function card(gallery) {
  const link = document.createElement('a')
  link.className = 'card'
  link.href = galleryAddress(gallery)
  const cover = document.createElement('span')
  cover.className = 'cover'
  if (gallery.itemCount) {
    const image = document.createElement('img')
    image.alt = ''
    image.decoding = 'async'
    image.addEventListener('error', () => image.remove())
    image.src = address(`api/v1/galleries/${encodeURIComponent(gallery.id)}/items/0/thumbnail?width=640&height=400`)
    cover.append(image)
  }
  const name = document.createElement('b')
  name.textContent = gallery.title
  const facts = document.createElement('span')
  facts.textContent = [
    `${number.format(gallery.itemCount)} ${gallery.itemCount === 1 ? 'picture' : 'pictures'}`, kinds[gallery.source], years(gallery.sections),
  ].filter(Boolean).join(' · ')
  link.append(cover, name, facts)
  return link
}

/** `2017 – 2025`, from the titles of sections; '' where they name no dates. */
export function years(sections) {
  const found = sections.map(({ title }) => dated(title)?.year).filter(Boolean)
  if (!found.length) return ''
  const [first, last] = [Math.min(...found), Math.max(...found)]
  return first === last ? String(first) : `${first}\u2009–\u2009${last}`
}
