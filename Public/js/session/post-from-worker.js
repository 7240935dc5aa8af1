// Sends frequent posts (30 a second) from a worker. For the page's thread, which draws the pictures, a message to the worker costs a third
// of a request.

import { APIError, isEmbedded, post } from './api.js'

let thread = null
let sent = 0
const waiting = new Map() // pending requests, by number

/**
 * Posts like `post` of the API, with the same results and errors. `signal` aborts the request. A page of another origin cannot start the
 * worker and posts from its own thread.
 */
export function postFromWorker(path, body, /** @type {AbortSignal | undefined} */ signal = undefined) {
  if (isEmbedded) return post(path, body, { signal })
  thread ??= begin()
  return new Promise((resolve, reject) => {
    const number = ++sent
    const giveUp = () => {
      waiting.delete(number)
      thread.postMessage({ number, isGivenUp: true })
      reject(signal.reason)
    }
    waiting.set(number, { path, body, signal, giveUp, resolve, reject })
    signal?.addEventListener('abort', giveUp)
    thread.postMessage({ number, path, body })
  })
}

/** Removes a request that has ended and returns its parts; no `resolve` and no `reject` if it was aborted. */
function take(number) {
  const { signal, giveUp, ...request } = waiting.get(number) ?? {}
  waiting.delete(number)
  signal?.removeEventListener('abort', giveUp)
  return { signal, ...request }
}

function begin() {
  const worker = new Worker(new URL('post-worker.js', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data: { number, response, error } }) => {
    const { resolve, reject } = take(number)
    if (error) reject?.(new APIError(error.status, error.problem))
    else resolve?.(response)
  }
  worker.onerror = () => {
    // The worker could not be loaded: post from this thread.
    thread = { postMessage: ({ number }) => direct(number) }
    for (const number of [...waiting.keys()]) direct(number)
  }
  return worker
}

function direct(number) {
  const { path, body, signal, resolve, reject } = take(number)
  if (path) post(path, body, { signal }).then(resolve, reject)
}
