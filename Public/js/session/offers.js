// The server's features, according to its OpenAPI document. The page may be newer than the server.

import { get } from './api.js'

/** @type {Promise<Set<string>> | null} */
let paths = null

/** Resolves to whether the server has a path of a gallery, such as `/timeline`, written as in `openapi.json`. false if unknown. */
export async function offers(/** @type {string} */ path) {
  paths ??= get('api/v1/openapi.json', { cache: 'default', priority: 'low' }).then((description) => new Set(Object.keys(description.paths)), () => {
    paths = null // the next call requests it again
    return new Set()
  })
  return (await paths).has(`/api/v1/galleries/{g}${path}`)
}
