// Reads and updates the page's address, which includes the scroll position. Most updates replace the current history entry.

export function parameter(name) {
  return new URLSearchParams(location.search).get(name)
}

/** Returns the scroll in the address: the text after `#trace=`. '' if there is none. */
export const traceInAddress = () => /^#trace=(.*)/.exec(location.hash)?.[1] ?? ''

/** Returns an address without user and password. Browsers refuse requests to addresses with them, and people share addresses. */
export function withoutCredentials(/** @type {string | URL} */ address) {
  const url = new URL(address)
  url.username = url.password = ''
  return url
}

/** Changes parameters of the address. null removes a parameter. `push` adds a history entry. `fragment` replaces the part after `#`. */
export function setParameters(changes, { push = false, state = history.state, fragment = location.hash } = {}) {
  const url = new URL(location.href)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  url.search = url.search.replaceAll('%2C', ',').replaceAll('%3A', ':') // easier to read
  url.hash = fragment
  if (url.href === location.href && !push && state === history.state) return
  if (push) history.pushState(state, '', url)
  else history.replaceState(state, '', url)
}

/** Returns the names of the address's parameters for sorting, grouping and filtering. `arrange/arrangement.js` parses their values. */
export function arrangingParameters() {
  const parameters = new URLSearchParams(location.search)
  return ['sort', 'order', 'group', 'text', 'taken', 'folder', 'camera', 'lens', 'kinds', 'fiveStars'].filter((name) => parameters.has(name))
}

/**
 * Returns the picture in a parameter of the address (`item` or `view`), or null. `id` is the picture's id, null in old links. `item` is
 * the number that the picture had when the link was created.
 */
export function pictureInAddress(/** @type {string} */ name) {
  const given = parameter(name)
  const item = Number(given)
  return given === null || !Number.isInteger(item) || item < 0 ? null : { item, id: parameter(`${name}-id`) }
}

/**
 * Returns the parameters for a picture: its number, for people and old servers, and its id if known. If `item` is null, the parameters
 * are removed.
 * @param {string} name
 * @param {number | null} item
 * @param {string | null} [id]
 */
export function pictureParameters(name, item, id) {
  return { [name]: item, [`${name}-id`]: item === null ? null : (id ?? null) }
}

/** Returns the scroll position in the address as an anchor of the layout; null for the beginning. */
export function placeInAddress(itemCount) {
  const named = pictureInAddress('item')
  if (!named || !itemCount) return null
  const item = Math.min(named.item, itemCount - 1) // the last item if the number is too large
  const exact = history.state?.place
  return exact?.item === item ? exact : { item }
}

/** Writes the scroll position to the address; null means the beginning. `id` is the id of the anchor's item, if known. */
export function rememberPlace(anchor, /** @type {string | undefined} */ id = undefined) {
  const place = anchor && { item: anchor.item, fraction: anchor.fraction, at: anchor.at }
  setParameters(pictureParameters('item', place ? place.item : null, id), { state: { ...history.state, place } })
}

/** Updates the item number of the scroll position in the address. */
export function renumberPlace(/** @type {number} */ item, /** @type {string} */ id) {
  const { place, ...state } = history.state ?? {}
  setParameters(pictureParameters('item', item, id), { state: { ...state, place: place && { ...place, item } } })
}

/** A part that covers the page, such as the viewer. Its parameter is in the address while the part is open. Back closes the part. */
export class CoveringPart {
  #name

  /** `close()` is called when Back or Forward led to an entry without the parameter. */
  constructor(/** @type {string} */ name, /** @type {() => void} */ close) {
    this.#name = name
    addEventListener('popstate', () => parameter(name) === null && close())
  }

  /** Adds a history entry. Call this before writing the parameter. */
  open() {
    if (parameter(this.#name) === null) setParameters({}, { push: true, state: { ...history.state, covered: this.#name } })
  }

  /** Removes the parameters from the address. Goes back in the history if `open` has added an entry. */
  close(...parameters) {
    if (history.state?.covered === this.#name) history.back()
    else setParameters(Object.fromEntries(parameters.map((name) => [name, null])), { fragment: '' })
  }
}

/** Returns the session options in the address: `{policy, prefetching}`, without missing ones. */
export function wishesInAddress() {
  const wishes = {}
  if (parameter('policy')) wishes.policy = parameter('policy')
  if (parameter('prefetching')) wishes.prefetching = parameter('prefetching') !== 'off'
  return wishes
}

/** Bounds of the API: latency in ms, bandwidth in Mbit/s, failure rate as a share. */
const NETWORK = { latency: [0, 60_000], bandwidth: [0.01, 100_000], failureRate: [0, 1] }

/** Returns the conditions of the demo's network in the address, for this page's sessions only: `{network}`, or `{}` if there are none. */
export function networkInAddress() {
  if (!document.documentElement.hasAttribute('data-demo')) return {}
  const network = {}
  for (const [name, [minimum, maximum]] of Object.entries(NETWORK)) {
    const value = Number(parameter(name) || NaN)
    if (Number.isFinite(value)) network[name] = Math.min(maximum, Math.max(minimum, value))
  }
  return Object.keys(network).length ? { network } : {}
}
