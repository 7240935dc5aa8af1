// Posts that are sent thirty times a second go out from another thread: a message costs this one a third of what a request
// does, and it has pictures to draw.

import { APIError, isEmbedded, post } from './api.js'

let thread = null
let sent = 0
const waiting = new Map() // by number: what went out and has no answer yet

/**
 * As `post` of the API, answers and errors alike; `signal` gives it up. A page of another origin may not start the worker: it
 * posts by itself.
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

/** A request that has ended, and what to call then; nothing where it was given up. */
function take(number) {
  const { signal, giveUp, ...request } = waiting.get(number) ?? {}
  waiting.delete(number)
  signal?.removeEventListener('abort', giveUp)
  return { signal, ...request }
}

function begin() {
  const worker = new Worker(new URL('post-worker.js', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data: { number, answer, error } }) => {
    const { resolve, reject } = take(number)
    if (error) reject?.(new APIError(error.status, error.problem))
    else resolve?.(answer)
  }
  worker.onerror = () => {
    // It could not be loaded: then from here.
    thread = { postMessage: ({ number }) => direct(number) }
    for (const number of [...waiting.keys()]) direct(number)
  }
  return worker
}

function direct(number) {
  const { path, body, signal, resolve, reject } = take(number)
  if (path) post(path, body, { signal }).then(resolve, reject)
}
