// What goes out thirty times a second goes out from another thread: a message costs this one a third of what a request
// does, and it has pictures to draw.

import { APIError, isEmbedded, post } from './api.js'

let thread = null
let sent = 0
const waiting = new Map() // by number: what went out and has no answer yet

/** As `post` of the API, answers and errors alike. A page of another origin may not start the worker: it posts by itself. */
export function postFromWorker(path, body) {
  if (isEmbedded) return post(path, body)
  thread ??= begin()
  return new Promise((resolve, reject) => {
    const number = ++sent
    waiting.set(number, { path, body, resolve, reject })
    thread.postMessage({ number, path, body })
  })
}

function begin() {
  const worker = new Worker(new URL('post-worker.js', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data: { number, answer, error } }) => {
    const { resolve, reject } = waiting.get(number) ?? {}
    waiting.delete(number)
    if (error) reject?.(new APIError(error.status, error.problem))
    else resolve?.(answer)
  }
  worker.onerror = () => {
    // It could not be loaded: then from here.
    thread = { postMessage: ({ path, body, number }) => direct(number, path, body) }
    for (const [number, { path, body }] of waiting) direct(number, path, body)
  }
  return worker
}

function direct(number, path, body) {
  const { resolve, reject } = waiting.get(number)
  waiting.delete(number)
  post(path, body).then(resolve, reject)
}
