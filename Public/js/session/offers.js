// The server's abilities, by its own description: a page may be newer than the server it speaks to.

import { get } from './api.js'

/** @type {Promise<Set<string>> | null} */
let paths = null

/** Whether the server has a path of a gallery, as `/timeline`, written as in `openapi.json`; not, where it does not say. */
export async function offers(/** @type {string} */ path) {
  paths ??= get('api/v1/openapi.json', { cache: 'default', priority: 'low' }).then((description) => new Set(Object.keys(description.paths)), () => {
    paths = null // asked again the next time
    return new Set()
  })
  return (await paths).has(`/api/v1/galleries/{g}${path}`)
}
