// Downloads the selection as one ZIP file. The browser writes it to the disk as it comes, and shows how far it is; the page holds
// nothing of it.

import { address, APIError, isEmbedded, post } from '../session/api.js'

/** The path of a gallery that the server needs for this, as `offers` takes it. */
export const ARCHIVE = isEmbedded ? '/archive' : '/downloads'

/**
 * Asks for the originals of a selection as one file. `named` says which: `{items, ids}`, or `{ranges, revision}` of the gallery. Rejects
 * with status 412 if these are other pictures by now. Resolves once the browser has begun to download it. Rejects with an APIError, or when
 * `signal` is aborted.
 *
 * In a page of another origin the file comes to the page first, and is then saved as `name`.zip: no navigation brings the cookie that
 * such a page has. Only then is `progress(bytes)` called, with how much has come, and resolves the promise once all has.
 */
export async function downloadArchive({ gallery, name, named, signal, progress }) {
  const path = `api/v1/galleries/${encodeURIComponent(gallery.id)}${ARCHIVE}`
  const file = `${name.replaceAll(/[/\\:]/g, ' ').trim() || 'pictures'}.zip`
  if (isEmbedded) return fetchArchive({ path, file, named, signal, progress })
  // The address works once, and what stands there is a file to be saved: the page stays.
  const { archive } = await post(path, named, { signal })
  save(address(archive), file)
}

async function fetchArchive({ path, file, named, signal, progress }) {
  progress(0)
  const answer = await fetch(address(path), {
    method: 'POST', headers: { accept: 'application/zip, application/problem+json', 'content-type': 'application/json' },
    body: JSON.stringify(named), cache: 'no-store', credentials: 'include', signal,
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
  const url = URL.createObjectURL(await new Response(counted, { headers: { 'content-type': 'application/zip' } }).blob())
  save(url, file)
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // the browser has begun to read it by then
}

function save(/** @type {string} */ url, /** @type {string} */ file) {
  const link = document.createElement('a')
  link.href = url
  link.download = file
  link.click()
}
