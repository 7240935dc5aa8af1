// How long a film is, and what else a small picture of a file does not show.

const WIDE = 3 // times the height from which on a picture is a panorama

/** `1:05`, `1:01:05` of a time in seconds. */
export function timeInWords(/** @type {number} */ seconds) {
  const whole = Math.max(1, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/**
 * The badge of a picture: `Live`, the length of a video, `GIF` or `Panorama`; '' for none.
 * @param {{file?: string, kind?: string, duration?: number, width?: number, height?: number}} known
 */
export function badgeInWords({ file = '', kind, duration, width = 0, height = 0 }) {
  if (kind) return 'Live'
  if (duration) return timeInWords(duration)
  if (/\.gif$/i.test(file)) return 'GIF'
  return height && width >= WIDE * height ? 'Panorama' : ''
}
