// The JSON API: addresses and errors. Who may come in is settled by a cookie that the page never sees.

import { withoutCredentials } from '../page/address-bar.js'

// The page's files may be at their lasting addresses, under assets/VERSION/.
const base = withoutCredentials(import.meta.url.replace(/(assets\/[^/]+\/)?js\/session\/api\.js$/, ''))

/** Whether this runs in a page of another origin. */
export const isEmbedded = base.origin !== globalThis.location?.origin

/** An answer that is not 2xx, with its problem document; `status` 0 means that no answer came. */
export class APIError extends Error {
  status
  problem
  constructor(status, problem) {
    super(problem?.detail || problem?.title || (status ? `The server responded with ${status}.` : 'The server isn’t responding.'))
    this.status = status
    this.problem = problem
  }
}

/** The whole address of a path of the server, wherever a proxy may have put it. */
export function address(path) {
  return new URL(path.replace(/^\//, ''), base).href
}

/** Calls the API; resolves to the parsed answer (undefined when it has no body), rejects with APIError. */
export async function call(method, path, body, options = {}) {
  const headers = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  return read(fetch(address(path), {
    method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: 'no-store', credentials: 'include', ...options,
  }))
}

/** The result of a request that was sent, as `call` resolves to. */
export async function read(sent) {
  let response, text
  try {
    response = await sent
    text = await response.text()
  } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new APIError(response && !response.ok ? response.status : 0) // an answer that breaks off says nothing
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

/** Trades a token for the cookie that lets in; resolves to whether it was the right one. */
export async function enter(/** @type {string} */ token) {
  // The rest is the page, which is not needed here.
  const { type } = await fetch(address(`.?token=${encodeURIComponent(token)}`), { credentials: 'include', redirect: 'manual', cache: 'no-store' })
  return type === 'opaqueredirect'
}

export const get = (path, options) => call('GET', path, undefined, options)
export const post = (path, body, options) => call('POST', path, body, options)
export const patch = (path, body, options) => call('PATCH', path, body, options)
