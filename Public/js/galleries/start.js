// The start page of a server with several galleries: a card for each.

import { address } from '../session/api.js'
import { contrastOf } from '../thumbnails/thumb-hash.js'

const number = new Intl.NumberFormat('en')
const kinds = { folder: 'Folder', list: 'List', demo: 'Painted pictures' }

/** Shows the galleries in `root`, instead of the pictures. */
export function showStart(root, galleries) {
  document.documentElement.dataset.start = ''
  document.title = 'Lookahead'
  document.getElementById('title').textContent = 'Lookahead'
  document.getElementById('count').textContent = `${number.format(galleries.length)} galleries`
  root.replaceChildren(...galleries.map(card))
  root.hidden = false
}

export const galleryAddress = ({ id }) => address(`.?gallery=${encodeURIComponent(id)}`)

const COVERS = 32 // first pictures, of which the one with the most contrast becomes the cover
const HASH = 25 // bytes of a placeholder

function card(gallery) {
  const link = document.createElement('a')
  link.className = 'card'
  link.href = galleryAddress(gallery)
  const cover = document.createElement('span')
  cover.className = 'cover'
  if (gallery.itemCount) showCover(cover, gallery)
  else cover.textContent = 'No pictures'
  const name = document.createElement('b')
  name.textContent = gallery.title
  const facts = document.createElement('span')
  facts.textContent = [
    `${number.format(gallery.itemCount)} ${gallery.itemCount === 1 ? 'picture' : 'pictures'}`, kinds[gallery.source], years(gallery.taken),
  ].filter(Boolean).join(' · ')
  link.append(cover, name, facts)
  return link
}

/** Shows the cover, or a message if the picture cannot be loaded. */
async function showCover(cover, gallery) {
  const path = `api/v1/galleries/${encodeURIComponent(gallery.id)}`
  const image = document.createElement('img')
  image.alt = ''
  image.decoding = 'async'
  image.addEventListener('error', () => {
    image.remove()
    cover.textContent = 'Can’t load pictures'
  })
  image.src = address(`${path}/items/${await liveliest(path, gallery.itemCount)}/thumbnail?width=640&height=400`)
  cover.append(image)
}

/** Resolves to the item with the most contrast in its placeholder, among the first `COVERS`; 0 if no placeholder is known. */
async function liveliest(path, itemCount) {
  try {
    const response = await fetch(address(`${path}/placeholders?from=0&count=${Math.min(COVERS, itemCount)}`), { credentials: 'include' })
    if (!response.ok) return 0
    const bytes = new Uint8Array(await response.arrayBuffer())
    let best = { item: 0, contrast: 0 }
    for (let at = 0; at + HASH <= bytes.length; at += HASH) {
      const hash = bytes.subarray(at, at + HASH)
      const contrast = hash.some(Boolean) ? contrastOf(hash) : 0
      if (contrast > best.contrast) best = { item: at / HASH, contrast }
    }
    return best.item
  } catch {
    return 0
  }
}

/** Returns the years of the first and the last picture, such as `2017 – 2025`; '' if unknown. */
export function years(/** @type {{from: string, to: string} | undefined} */ taken) {
  if (!taken) return ''
  const [first, last] = [taken.from.slice(0, 4), taken.to.slice(0, 4)]
  return first === last ? first : `${first}\u2009–\u2009${last}`
}
