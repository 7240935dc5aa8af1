// The worker of `post-from-worker.js`. Sends posts and returns their responses. Aborts posts that were given up.

import { post } from './api.js'

/** @type {Map<number, AbortController>} */
const posts = new Map() // by number

onmessage = async ({ data: { number, path, body, isGivenUp } }) => {
  if (isGivenUp) return posts.get(number)?.abort()
  const giving = new AbortController()
  posts.set(number, giving)
  try {
    postMessage({ number, response: await post(path, body, { signal: giving.signal }) })
  } catch ({ status = 0, problem }) {
    postMessage({ number, error: { status, problem } })
  }
  posts.delete(number)
}
