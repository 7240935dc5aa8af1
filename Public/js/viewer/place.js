// A place: a button that copies the coordinates, and a link to a map. No map loads until the person clicks the link.

import { copyText } from '../page/clipboard.js'

const CHOICE = 'lookahead.map'

/** @type {Record<string, {title: string, address: (latitude: number, longitude: number) => string}>} */
export const MAPS = {
  osm: { title: 'OpenStreetMap', address: (latitude, longitude) => `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}` },
  google: { title: 'Google Maps', address: (latitude, longitude) => `https://www.google.com/maps/search/?api=1&query=${latitude}%2C${longitude}` },
  apple: { title: 'Apple Maps', address: (latitude, longitude) => `https://maps.apple.com/?ll=${latitude},${longitude}&q=${latitude},${longitude}` },
  app: { title: 'App of this device', address: (latitude, longitude) => `geo:${latitude},${longitude}` },
}

/** Returns the line below a place: `Copy`, `Open in` and a choice of maps. */
export function placeActions({ latitude, longitude }) {
  const line = document.createElement('small')
  const copy = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' })
  copy.setAttribute('aria-label', 'Copy coordinates')
  copy.addEventListener('click', async () => {
    const text = `${latitude}, ${longitude}`
    copy.textContent = (await copyText(text)) ? 'Copied' : text // for copying manually
  })
  const open = Object.assign(document.createElement('a'), { target: '_blank', rel: 'noreferrer', textContent: 'Open in' })
  const maps = document.createElement('select')
  maps.setAttribute('aria-label', 'Map')
  maps.replaceChildren(...Object.entries(MAPS).map(([name, { title }]) => new Option(title, name)))
  maps.value = storedMap()
  const choose = () => {
    open.href = MAPS[maps.value].address(latitude, longitude)
    open.setAttribute('aria-label', `Open in ${MAPS[maps.value].title}`)
  }
  maps.addEventListener('change', () => {
    choose()
    storeMap(maps.value)
  })
  choose()
  line.append(copy, open, maps)
  line.className = 'place'
  return line
}

function storedMap() {
  try {
    const name = localStorage.getItem(CHOICE) ?? ''
    return Object.hasOwn(MAPS, name) ? name : 'osm'
  } catch {
    return 'osm' // no storage available
  }
}

function storeMap(/** @type {string} */ name) {
  try {
    localStorage.setItem(CHOICE, name)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}
