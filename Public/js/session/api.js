// The JSON API: addresses, requests and errors. A cookie that scripts cannot read authorizes the requests.

import { withoutCredentials } from '../page/address-bar.js'

// The page's files may have versioned addresses below assets/VERSION/.
const base = withoutCredentials(import.meta.url.replace(/(assets\/[^/]+\/)?js\/session\/api\.js$/, ''))

/** Whether this code runs in a page of another origin. */
export const isEmbedded = base.origin !== globalThis.location?.origin

/** An error response with its problem document. `status` is 0 if no response arrived. */
export class APIError extends Error {
  status
  problem
  constructor(status, problem) {
    super(problem?.detail || problem?.title || (status ? `The server responded with ${status}.` : 'The server isn’t responding.'))
    this.status = status
    this.problem = problem
  }
}

/** Returns the absolute address of a path of the server. Works also if a proxy serves it below a prefix. */
export function address(path) {
  return new URL(path.replace(/^\//, ''), base).href
}

/** Calls the API. Resolves to the parsed body, or undefined if there is none. Rejects with an APIError. */
export async function call(method, path, body, options = {}) {
  const headers = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  return read(fetch(address(path), {
    method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: 'no-store', credentials: 'include', ...options,
  }))
}

/** Reads the response of a sent request. Resolves and rejects like `call`. */
export async function read(sent) {
  let response, text
  try {
    response = await sent
    text = await response.text()
  } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new APIError(response && !response.ok ? response.status : 0) // an incomplete 2xx response counts as none
  }
  let value
  try {
    value = text ? JSON.parse(text) : undefined
  } catch {
    value = undefined
  }
  if (!response.ok) throw new APIError(response.status, value)
  return value
}

/** Exchanges a token for a cookie. Resolves to whether the token is correct. */
export async function enter(/** @type {string} */ token) {
  // The server redirects after a correct token. The page itself is not needed here.
  const { type } = await fetch(address(`.?token=${encodeURIComponent(token)}`), { credentials: 'include', redirect: 'manual', cache: 'no-store' })
  return type === 'opaqueredirect'
}

export const get = (path, options) => call('GET', path, undefined, options)
export const post = (path, body, options) => call('POST', path, body, options)
export const patch = (path, body, options) => call('PATCH', path, body, options)
