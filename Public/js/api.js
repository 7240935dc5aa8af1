// The JSON API: addresses, errors, and the token when the server asks for one.

const base = new URL('../', import.meta.url)
const TOKEN_KEY = 'lookahead-token'

/** An answer that is not 2xx, with its problem document; `status` 0 means that no answer came. */
export class APIError extends Error {
  constructor(status, problem) {
    super(problem?.detail || problem?.title || (status ? `The server answered ${status}.` : 'The server does not answer.'))
    this.status = status
    this.problem = problem
  }
}

let token = readToken()

function readToken() {
  const given = new URLSearchParams(location.search).get('token')
  try {
    if (given) sessionStorage.setItem(TOKEN_KEY, given)
    return given || sessionStorage.getItem(TOKEN_KEY) || ''
  } catch {
    return given || ''
  }
}

export function setToken(value) {
  token = value
  try {
    sessionStorage.setItem(TOKEN_KEY, value)
  } catch {
    // Storage is off: the token lasts as long as the page.
  }
}

/** An address for what cannot carry headers: event streams, beacons, images. */
export function address(path) {
  const url = new URL(path.replace(/^\//, ''), base)
  if (token) url.searchParams.set('token', token)
  return url.href
}

/** Calls the API; resolves to the parsed answer (undefined when it has no body), rejects with APIError. */
export async function call(method, path, body, options = {}) {
  const headers = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (token) headers.authorization = `Bearer ${token}`
  let response
  try {
    response = await fetch(new URL(path.replace(/^\//, ''), base), {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: 'no-store', ...options,
    })
  } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new APIError(0)
  }
  const text = await response.text().catch(() => '')
  let value
  try {
    value = text ? JSON.parse(text) : undefined
  } catch {
    value = undefined
  }
  if (!response.ok) throw new APIError(response.status, value)
  return value
}

export const get = (path, options) => call('GET', path, undefined, options)
export const post = (path, body) => call('POST', path, body)
export const patch = (path, body) => call('PATCH', path, body)
