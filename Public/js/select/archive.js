// Downloads the selection as one ZIP file. The browser writes it to the disk as it comes, and shows how far it is; the page holds
// nothing of it.

import { address, APIError, get, isEmbedded, post } from '../session/api.js'

/** The path of a gallery that the server needs for this, as `offers` takes it. */
export const ARCHIVE = isEmbedded ? '/archive' : '/downloads'

const PAGE = 200 // items whose sizes are asked for at once
const PAGES = 8 // that are asked for at most

/**
 * Resolves to the bytes of a selection's originals as far as the server knows their sizes, or an estimate by some of them; null if it
 * knows none.
 * @param {{id: string}} gallery
 * @param {import('./ranges.js').Ranges} ranges
 */
export async function originalBytes(gallery, ranges) {
  const path = `api/v1/galleries/${encodeURIComponent(gallery.id)}/items`
  const pages = await Promise.all(sampledPages(ranges).map((page) => get(`${path}?from=${page * PAGE}&count=${PAGE}`)))
  return estimatedBytes(pages, ranges)
}

/** Numbers of the pages that hold selected items, or of some of them, spread evenly. */
export function sampledPages(/** @type {import('./ranges.js').Ranges} */ ranges) {
  /** @type {Set<number>} */
  const pages = new Set()
  for (const { from, to } of ranges.list) for (let page = Math.floor(from / PAGE); page * PAGE < to; page++) pages.add(page)
  const step = Math.ceil(pages.size / PAGES)
  return [...pages].filter((_, index) => index % step === 0)
}

/**
 * @param {{from: number, items: {bytes?: number}[]}[]} pages
 * @param {import('./ranges.js').Ranges} ranges
 */
export function estimatedBytes(pages, ranges) {
  const sizes = pages.flatMap(({ from, items }) => items.filter(({ bytes }, index) => bytes !== undefined && ranges.has(from + index)).map(({ bytes }) => bytes ?? 0))
  return sizes.length ? (sizes.reduce((sum, bytes) => sum + bytes, 0) / sizes.length) * ranges.count : null
}

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
