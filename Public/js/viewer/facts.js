// The facts of a picture as text.

import { monthInWords, timeInWords } from '../grid/picture-in-words.js'

const number = new Intl.NumberFormat('en')
const decimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

const KINDS = { live: 'Live Photo with a video file', motion: 'Motion photo with a video inside' }

const SOURCES = {
  exif: 'camera time', xmp: 'from the file’s metadata', iptc: 'from the file’s metadata', sidecar: 'from the sidecar file', quicktime: 'from the video',
  gps: 'GPS time', name: 'from the file name',
}

/**
 * @typedef {object} Fact One line.
 * @property {string} term
 * @property {string | undefined | false | null} text
 * @property {string} [small] Smaller text below.
 * @property {{latitude: number, longitude: number}} [location] Location in degrees, for a fact about a place.
 * @property {{camera?: string, lens?: string, folder?: string}} [filter] Filter for the pictures with the same fact.
 */

/**
 * @param {any} known The item from the API, with its facts if they were requested.
 * @param {{name: string, section: string | undefined, place: string}} gallery Facts from the gallery.
 * @returns {Fact[]}
 */
export function factsOf(known, { name, section, place }) {
  const { taken, camera, location, description, rating, pairedWith, path } = known
  const folder = path?.includes('/') ? path.slice(0, path.lastIndexOf('/')) : section
  const file = known.name ?? known.file
  const body = cameraName(camera)
  return [
    { term: 'Description', text: description },
    { term: taken?.source === 'file' ? 'File date' : 'Taken', text: taken && dateInWords(taken), small: taken && sourceInWords(taken) },
    { term: 'Camera', text: body, filter: { camera: body } },
    { term: 'Lens', text: camera?.lens, filter: { lens: camera?.lens } },
    { term: 'Exposure', text: exposureInWords(known.exposure) },
    { term: 'Place', text: location && placeInWords(location), location },
    { term: 'Kind', text: KINDS[known.kind] },
    { term: 'Length', text: known.duration && timeInWords(known.duration) },
    { term: 'File', text: (pairedWith?.length || !isNameOf(name, file)) && file, small: pairedWith?.length ? `with ${pairedWith.join(', ')}` : undefined },
    { term: 'Folder', text: folder, filter: section ? { folder: section } : undefined },
    { term: 'Size', text: sizeInWords(known) },
    { term: 'Rating', text: rating > 0 && `${'★'.repeat(rating)}${'☆'.repeat(Math.max(0, 5 - rating))}` },
    { term: 'Number', text: place },
    { term: 'State', text: known.damaged && 'part of the file is missing or damaged' },
  ].filter(({ text }) => text)
}

/** Whether a title already contains the name of a file. The server reads underscores as spaces. */
export function isNameOf(/** @type {string} */ title, file = '') {
  const [words, name] = [title, file].map((text) => text.replaceAll('_', ' '))
  return name === words || name.startsWith(`${words}.`)
}

/** Source of a date as text. A camera may not record its time zone. Without a better source, a UTC time is shown in the server's zone. */
function sourceInWords(/** @type {{source: string, offset?: string, offsetSource?: string}} */ { source, offset, offsetSource }) {
  if (source === 'file') return undefined
  if (offsetSource === 'server') return `${SOURCES[source]}, in the server’s time zone`
  return source === 'exif' && !offset ? `${SOURCES.exif}, no time zone` : SOURCES[source]
}

/** Formats a local date and time, whatever the reader's time zone: `Friday, 12 July 2019, 14:03:22 +02:00`. */
export function dateInWords(/** @type {{time: string, offset?: string}} */ { time, offset }) {
  const [date, clock = ''] = time.split('T')
  const day = date.length < 10 ? '' : `${WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]}, ${Number(date.slice(8))} `
  return [`${day}${monthInWords(date)}`, clock.slice(0, 8), offset].filter(Boolean).join(clock ? ', ' : ' ').replace(/, ([+-]\d\d:\d\d)$/, ' $1')
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Joins make and model without repeating the make: `NIKON Z 6`, not `NIKON CORPORATION NIKON Z 6`. */
export function cameraName(/** @type {{make?: string, model?: string} | undefined} */ camera) {
  const { make = '', model = '' } = camera ?? {}
  const [brand] = make.split(' ')
  return !model || model.toLowerCase().startsWith(brand.toLowerCase()) ? model || make : `${make} ${model}`.trim()
}

/** Joins the known values: `1/250 s · f/2.8 · ISO 100 · 50 mm`. */
export function exposureInWords(/** @type {{seconds?: number, aperture?: number, iso?: number, focalLength?: number} | undefined} */ exposure) {
  const { seconds, aperture, iso, focalLength } = exposure ?? {}
  return [
    seconds && (seconds >= 0.3 ? `${decimal.format(seconds)}\u00a0s` : `1/${number.format(Math.round(1 / seconds))}\u00a0s`),
    aperture && `f/${decimal.format(aperture)}`, iso && `ISO\u00a0${iso}`, focalLength && `${decimal.format(focalLength)}\u00a0mm`,
  ].filter(Boolean).join(' · ')
}

/** Formats coordinates: `48.8584° N, 2.2945° E, 35 m`. */
export function placeInWords(/** @type {{latitude: number, longitude: number, altitude?: number}} */ { latitude, longitude, altitude }) {
  const degrees = (/** @type {number} */ value, /** @type {string} */ names) => `${Math.abs(value).toFixed(4)}°\u00a0${names[value < 0 ? 1 : 0]}`
  const height = altitude === undefined ? '' : `, ${number.format(Math.round(altitude))}\u00a0m`
  return `${degrees(latitude, 'NS')}, ${degrees(longitude, 'EW')}${height}`
}

/** Formats a size: `6,000 × 4,000 pixels · 8.2 MB`. */
export function sizeInWords(/** @type {{width?: number, height?: number, bytes?: number}} */ { width, height, bytes }) {
  const pixels = width && height ? `${number.format(width)}\u00a0×\u00a0${number.format(height)} pixels` : ''
  const weight = !bytes ? '' : bytes >= 999_500 ? `${decimal.format(bytes / 1e6)}\u00a0MB` : `${number.format(Math.max(1, Math.round(bytes / 1000)))}\u00a0kB`
  return [pixels, weight].filter(Boolean).join(' · ')
}
