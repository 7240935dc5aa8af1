// Which gallery the page shows.

import { APIError, get } from './api.js'
import { parameter } from './address-bar.js'

/** The gallery that the address names, or the first one, as it is now. Throws an APIError where there is none. */
export async function chosenGallery() {
  const wanted = parameter('gallery')
  const found = wanted
    ? await get(`api/v1/galleries/${encodeURIComponent(wanted)}`)
    : (await get('api/v1/galleries')).galleries[0]
  if (!found) throw new APIError(404, { title: 'There is no gallery yet.' })
  return found
}

export const isSame = (one, other) =>
  one?.id === other.id && one.revision === other.revision && one.itemCount === other.itemCount
