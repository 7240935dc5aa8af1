// Downloads the selection as one ZIP file. The server streams it; the browser keeps it on its disk, not the page in its memory.

import { address, APIError } from '../session/api.js'

/**
 * Asks for the originals of `ranges` and saves the answer as `name`.zip. `progress(bytes)` hears how much has come. Rejects with
 * an APIError, or when `signal` is aborted.
 */
export async function downloadArchive({ gallery, name, ranges, signal, progress }) {
  const answer = await fetch(address(`api/v1/galleries/${encodeURIComponent(gallery.id)}/archive`), {
    method: 'POST', headers: { accept: 'application/zip, application/problem+json', 'content-type': 'application/json' },
    body: JSON.stringify({ ranges }), cache: 'no-store', credentials: 'include', signal,
  })
  if (!answer.ok) throw new APIError(answer.status, await answer.json().catch(() => undefined))
  let bytes = 0
  const counted = answer.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      progress((bytes += chunk.byteLength))
      controller.enqueue(chunk)
    },
  }))
  // A browser puts a large blob of a response on its disk.
  save(await new Response(counted, { headers: { 'content-type': 'application/zip' } }).blob(), `${name.replaceAll(/[/\\:]/g, ' ').trim() || 'pictures'}.zip`)
}

function save(blob, name) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000) // the browser has begun to read it by then
}
