// A scroll in the fragment of an address, which browsers do not send to servers. The fragment has the differences between the samples,
// compressed.

import { arrangingParameters, parameter } from '../page/address-bar.js'
import { RACES } from '../race/setup.js'
import { indexAt } from '../waterfall/record.js'

const MAXIMUM_SAMPLES = 7200 // as in a record
const MAXIMUM_TEXT = 65_536 // characters in a fragment
const MAXIMUM_BYTES = 1e6 // after decompression
const FORMAT = 'deflate-raw'
const NO_PHASE = 'n'
/** Phases by their first letter. */
const phases = Object.fromEntries(['idle', 'touch', 'momentum', 'wheel', 'drag', 'keyboard', 'jump'].map((phase) => [phase[0], phase]))
const SAMPLE = new RegExp(`([${Object.keys(phases).join('')}${NO_PHASE}])(\\d{1,7})([+-]\\d{1,10})`, 'g')

const { CompressionStream, DecompressionStream } = /** @type {any} */ (globalThis)

/** @typedef {{t: number, y: number, phase?: string}} Sample `t` in ms, `y` in px. */

/**
 * Writes at most 7,200 samples as base64url, from the time `from` (ms) on. The result starts at 0 ms, at the position of that moment.
 * @param {Sample[]} samples In order of time, at least one.
 */
export async function traceText(samples, from = 0) {
  const first = Math.max(0, indexAt(samples, from))
  const start = Math.max(from, samples[0].t)
  let [passed, top] = [0, 0]
  const words = samples.slice(first, first + MAXIMUM_SAMPLES).map(({ t, y, phase }) => {
    const [time, place] = [Math.round(Math.max(0, t - start)), Math.round(y)]
    const [wait, step] = [time - passed, place - top]
    passed = time
    top = place
    return `${phase && phases[phase[0]] === phase ? phase[0] : NO_PHASE}${wait}${step < 0 ? '' : '+'}${step}`
  })
  const bytes = await converted(new TextEncoder().encode(words.join('')), new CompressionStream(FORMAT))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Returns the samples in a text of `traceText`. Rejects with an Error with a message for the person. @returns {Promise<Sample[]>} */
export async function samplesOf(/** @type {string} */ text) {
  const words = text.length > MAXIMUM_TEXT ? '' : await decompressed(text).catch(() => '')
  const found = [...words.matchAll(SAMPLE)]
  if (!found.length || found.length > MAXIMUM_SAMPLES || found.reduce((sum, [word]) => sum + word.length, 0) !== words.length) {
    throw new Error('The scroll in this link is incomplete or too long.')
  }
  let [t, y] = [0, 0]
  return found.map(([, letter, wait, step]) => {
    const place = { t: (t += Number(wait)), y: (y += Number(step)) }
    return letter === NO_PHASE ? place : { ...place, phase: phases[letter] }
  })
}

/**
 * Returns the address of a race of a scroll from the time `from` (ms) on, in the current arrangement of a gallery.
 * @param {Sample[]} samples In order of time, at least one.
 * @param {number} from
 * @param {{id: string}} gallery
 */
export async function raceLink(samples, from, gallery) {
  const url = new URL(location.pathname, location.href)
  url.searchParams.set('gallery', gallery.id)
  for (const name of arrangingParameters()) url.searchParams.set(name, parameter(name))
  url.search += `&race=${RACES[0].sides.join()}&trace=link`
  url.hash = `trace=${await traceText(samples, from)}`
  return url.href
}

async function decompressed(/** @type {string} */ text) {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  return new TextDecoder().decode(await converted(bytes, new DecompressionStream(FORMAT), MAXIMUM_BYTES))
}

/** Passes bytes through a stream. Rejects if more than `maximum` bytes come out. */
async function converted(/** @type {Uint8Array} */ bytes, stream, maximum = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  const chunks = []
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value)
    size += next.value.length
    if (size <= maximum) continue
    reader.cancel().catch(() => {})
    throw new RangeError(`more than ${maximum} bytes`)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}
