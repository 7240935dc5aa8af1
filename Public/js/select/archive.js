// Downloads the selection as one ZIP file. The browser writes the file to the disk while it arrives and shows the progress. The page
// does not hold the file in memory.

import { address, APIError, get, isEmbedded, post } from '../session/api.js'

/** Path of the API that creates archives, as an argument for `offers`. */
export const ARCHIVE = isEmbedded ? '/archive' : '/downloads'

const PAGE = 200 // items per request for sizes
const PAGES = 8 // maximum number of such requests

/**
 * Resolves to the size of a selection's originals in bytes, estimated from the known sizes; null if no size is known.
 * @param {{id: string}} gallery
 * @param {import('./ranges.js').Ranges} ranges
 */
export async function originalBytes(gallery, ranges) {
  const path = `api/v1/galleries/${encodeURIComponent(gallery.id)}/items`
  const pages = await Promise.all(sampledPages(ranges).map((page) => get(`${path}?from=${page * PAGE}&count=${PAGE}`)))
  return estimatedBytes(pages, ranges)
}

/** Returns the numbers of the pages that contain selected items: all, or at most `PAGES`, spread evenly. */
export function sampledPages(/** @type {import('./ranges.js').Ranges} */ ranges) {
  /** @type {Set<number>} */
  const pages = new Set()
  for (const { from, to } of ranges.list) for (let page = Math.floor(from / PAGE); page * PAGE < to; page++) pages.add(page)
  const step = Math.ceil(pages.size / PAGES)
  return [...pages].filter((_, index) => index % step === 0)
}

/**
 * Returns the average known size of the selected items in the pages, times the size of the selection; null if no size is known.
 * @param {{from: number, items: {bytes?: number}[]}[]} pages
 * @param {import('./ranges.js').Ranges} ranges
 */
export function estimatedBytes(pages, ranges) {
  const sizes = pages.flatMap(({ from, items }) => items.filter(({ bytes }, index) => bytes !== undefined && ranges.has(from + index)).map(({ bytes }) => bytes ?? 0))
  return sizes.length ? (sizes.reduce((sum, bytes) => sum + bytes, 0) / sizes.length) * ranges.count : null
}

/**
 * Downloads the originals of a selection as one file. `named` is the selection: `{items, ids}`, or `{ranges, revision}` of the gallery.
 * Resolves once the browser has begun the download. Rejects with an APIError, or if `signal` is aborted. The error has the status 412 if
 * the items are other pictures now.
 *
 * In a page of another origin the page itself fetches the file and then saves it as `name`.zip, because a navigation would not send the
 * page's cookie. In this case `progress(bytes)` is called with the bytes received, and the promise resolves at the end of the download.
 */
export async function downloadArchive({ gallery, name, named, signal, progress }) {
  const path = `api/v1/galleries/${encodeURIComponent(gallery.id)}${ARCHIVE}`
  const file = `${name.replaceAll(/[/\\:]/g, ' ').trim() || 'pictures'}.zip`
  if (isEmbedded) return fetchArchive({ path, file, named, signal, progress })
  // The address works once. Its response is an attachment, so that the browser saves the file and does not leave the page.
  const { archive } = await post(path, named, { signal })
  save(address(archive), file)
}

async function fetchArchive({ path, file, named, signal, progress }) {
  progress(0)
  const response = await fetch(address(path), {
    method: 'POST', headers: { accept: 'application/zip, application/problem+json', 'content-type': 'application/json' },
    body: JSON.stringify(named), cache: 'no-store', credentials: 'include', signal,
  })
  if (!response.ok) throw new APIError(response.status, await response.json().catch(() => undefined))
  let bytes = 0
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      progress((bytes += chunk.byteLength))
      controller.enqueue(chunk)
    },
  }))
  // The browser stores the large blob of a response on the disk.
  const url = URL.createObjectURL(await new Response(counted, { headers: { 'content-type': 'application/zip' } }).blob())
  save(url, file)
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // by that time the browser is reading it
}

function save(/** @type {string} */ url, /** @type {string} */ file) {
  const link = document.createElement('a')
  link.href = url
  link.download = file
  link.click()
}
