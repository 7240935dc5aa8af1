// The worker of `post-from-worker.js`: posts what it is given, and hands the answer back.

import { post } from './api.js'

onmessage = async ({ data: { number, path, body } }) => {
  try {
    postMessage({ number, answer: await post(path, body) })
  } catch ({ status = 0, problem }) {
    postMessage({ number, error: { status, problem } })
  }
}
