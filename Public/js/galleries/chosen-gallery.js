// Finds the gallery that the page shows.

import { parameter } from '../page/address-bar.js'
import { APIError, get } from '../session/api.js'

/**
 * Requests the gallery in the page's address, else the one on show (`current`), else the server's only gallery. Throws an APIError if
 * there is none, and a `Several` if a person has to choose.
 */
export async function chosenGallery(current) {
  const wanted = parameter('gallery') ?? current?.id
  if (wanted) return get(`api/v1/galleries/${encodeURIComponent(wanted)}`)
  const galleries = (await get('api/v1/galleries')).galleries.filter(({ of }) => !of) // without arrangements of other galleries
  if (galleries.length > 1) throw new Several(galleries)
  if (!galleries.length) throw new APIError(404, { title: 'There are no galleries yet.' })
  return galleries[0]
}

/** Thrown if the address names no gallery and the server has several. */
class Several extends Error {
  galleries
  constructor(galleries) {
    super('There are several galleries.')
    this.galleries = galleries
  }
}

export const isSame = (one, other) =>
  one?.id === other.id && one.revision === other.revision && one.itemCount === other.itemCount

/** If the error is a `Several`, shows the galleries in `root` and closes the connection. Always rethrows the error. */
export async function offerChoice(error, root, connection) {
  if (error instanceof Several) {
    const { showStart } = await import('./start.js')
    connection.close()
    showStart(root, error.galleries)
  }
  throw error
}
