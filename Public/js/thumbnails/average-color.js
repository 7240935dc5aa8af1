// The average colour of a picture, from the first three bytes of its ThumbHash (evanw.github.io/thumbhash).

/** A CSS colour, or '' where there is no hash. */
export function averageColor(base64) {
  if (!base64) return ''
  let bytes
  try {
    bytes = atob(base64.slice(0, 4))
  } catch {
    return ''
  }
  if (bytes.length < 3) return ''
  const head = bytes.charCodeAt(0) | (bytes.charCodeAt(1) << 8) | (bytes.charCodeAt(2) << 16)
  const light = (head & 63) / 63
  const yellow = ((head >> 6) & 63) / 31.5 - 1
  const red = ((head >> 12) & 63) / 31.5 - 1
  const b = light - (2 / 3) * yellow
  const r = (3 * light - b + red) / 2
  const g = r - red
  return `rgb(${[r, g, b].map((x) => Math.round(Math.min(1, Math.max(0, x)) * 255)).join(' ')})`
}
