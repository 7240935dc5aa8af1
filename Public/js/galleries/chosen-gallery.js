// Which gallery the page shows.

import { parameter } from '../page/address-bar.js'
import { APIError, get } from '../session/api.js'

/**
 * The gallery that the address names or that is on show (`current`), as it is now; or the only one. Throws an APIError
 * where there is none, and a `Several` where a person has to choose.
 */
export async function chosenGallery(current) {
  const wanted = parameter('gallery') ?? current?.id
  if (wanted) return get(`api/v1/galleries/${encodeURIComponent(wanted)}`)
  const galleries = (await get('api/v1/galleries')).galleries.filter(({ of }) => !of) // arrangements are of one of these
  if (galleries.length > 1) throw new Several(galleries)
  if (!galleries.length) throw new APIError(404, { title: 'There are no galleries yet.' })
  return galleries[0]
}

/** Where the address leads to several galleries. */
class Several extends Error {
  galleries
  constructor(galleries) {
    super('There are several galleries.')
    this.galleries = galleries
  }
}

export const isSame = (one, other) =>
  one?.id === other.id && one.revision === other.revision && one.itemCount === other.itemCount

/** Several galleries: a person chooses one, shown in `root`, and until then there is nothing to connect to. */
export async function letChoose(error, root, connection) {
  if (error instanceof Several) {
    const { showStart } = await import('./start.js')
    connection.close()
    showStart(root, error.galleries)
  }
  throw error
}
