// How long a film is.

/** `1:05`, `1:01:05` of a time in seconds. */
export function timeInWords(/** @type {number} */ seconds) {
  const whole = Math.max(1, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
