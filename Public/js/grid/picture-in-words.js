// Text for a picture: its kind, date, name and length.

export const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

const WIDE = 3 // ratio of width to height from which a picture is a panorama

/** Formats a duration in seconds: `1:05` or `1:01:05`. */
export function timeInWords(/** @type {number} */ seconds) {
  const whole = Math.max(1, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/**
 * Returns the badge of a picture: `Live`, the length of a video, `GIF` or `Panorama`. '' for none.
 * @param {{file?: string, kind?: string, duration?: number, width?: number, height?: number}} known
 */
export function badgeInWords({ file = '', kind, duration, width = 0, height = 0 }) {
  if (kind) return 'Live'
  if (duration) return timeInWords(duration)
  if (/\.gif$/i.test(file)) return 'GIF'
  return height && width >= WIDE * height ? 'Panorama' : ''
}

/** Formats `2019-07` as `July 2019`. */
export const monthInWords = (/** @type {string} */ month) => `${MONTHS[Number(month.slice(5, 7)) - 1] ?? month} ${month.slice(0, 4)}`

/** Formats `2019-07-12T14:03:22` as `12 July 2019`. */
export const dayInWords = (/** @type {string} */ time) => `${Number(time.slice(8, 10))} ${monthInWords(time)}`

/**
 * Returns the label of a picture for screen readers: `Photo, 12 July 2019, IMG 1193`. Only the name if nothing else is known.
 * @param {string} name
 * @param {{taken?: {time: string}, isVideo?: boolean, file?: string, kind?: string, duration?: number, width?: number, height?: number}} [known]
 */
export function labelInWords(name, known) {
  if (!known) return name
  const badge = badgeInWords(known)
  const isVideo = known.isVideo || (known.duration && !known.kind)
  const kinds = isVideo ? ['Video', badge] : [{ '': 'Photo', Live: 'Live Photo' }[badge] ?? badge]
  return [...kinds, known.taken && dayInWords(known.taken.time), name].filter(Boolean).join(', ')
}
