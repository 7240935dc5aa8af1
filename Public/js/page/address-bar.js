// The address of the page, with the person's place in it: kept up to date without flooding the history.

export function parameter(name) {
  return new URLSearchParams(location.search).get(name)
}

/** An address without user and password: browsers refuse requests to one that has them, and people share it. */
export function withoutCredentials(/** @type {string | URL} */ address) {
  const url = new URL(address)
  url.username = url.password = ''
  return url
}

/** Changes parameters in place; null removes one. */
export function setParameters(changes, { push = false, state = history.state } = {}) {
  const url = new URL(location.href)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  url.search = url.search.replaceAll('%2C', ',').replaceAll('%3A', ':') // a person may read it
  if (url.href === location.href && !push && state === history.state) return
  if (push) history.pushState(state, '', url)
  else history.replaceState(state, '', url)
}

/** Parameters by which the address asks for a gallery sorted, grouped or filtered: `arrange/arrangement.js` reads how. */
export function arrangingParameters() {
  const parameters = new URLSearchParams(location.search)
  return ['sort', 'order', 'group', 'text', 'taken', 'folder', 'camera', 'lens', 'kinds', 'fiveStars'].filter((name) => parameters.has(name))
}

/**
 * The picture that a parameter of the address names (`item` or `view`), or null. `id` is what the picture is, null in old links. `item`
 * is the number it had when the link was made.
 */
export function pictureInAddress(/** @type {string} */ name) {
  const given = parameter(name)
  const item = Number(given)
  return given === null || !Number.isInteger(item) || item < 0 ? null : { item, id: parameter(`${name}-id`) }
}

/**
 * The parameters that name a picture: its number for people and old servers, its id if known. null takes them out.
 * @param {string} name
 * @param {number | null} item
 * @param {string | null} [id]
 */
export function pictureParameters(name, item, id) {
  return { [name]: item, [`${name}-id`]: item === null ? null : (id ?? null) }
}

/** The place the address names, as an anchor of the layout; null for the beginning. */
export function placeInAddress(itemCount) {
  const named = pictureInAddress('item')
  if (!named || !itemCount) return null
  const item = Math.min(named.item, itemCount - 1) // beyond the end is the end
  const exact = history.state?.place
  return exact?.item === item ? exact : { item }
}

/** Writes the place into the address; null is the beginning. `id` is that of the anchor's item, if known. */
export function rememberPlace(anchor, /** @type {string | undefined} */ id = undefined) {
  const place = anchor && { item: anchor.item, fraction: anchor.fraction, at: anchor.at }
  setParameters(pictureParameters('item', place ? place.item : null, id), { state: { ...history.state, place } })
}

/** Gives the place in the address the number that its picture has now. */
export function renumberPlace(/** @type {number} */ item, /** @type {string} */ id) {
  const { place, ...state } = history.state ?? {}
  setParameters(pictureParameters('item', item, id), { state: { ...state, place: place && { ...place, item } } })
}

/** A part that covers the page, with a parameter of its own in the address while it is open: Back closes it and leads nowhere else. */
export class CoveringPart {
  #name

  /** `close()` is called when Back has led to where the parameter is not. */
  constructor(/** @type {string} */ name, /** @type {() => void} */ close) {
    this.#name = name
    addEventListener('popstate', () => parameter(name) === null && close())
  }

  /** To be called before its parameter is written. */
  open() {
    if (parameter(this.#name) === null) setParameters({}, { push: true, state: { ...history.state, covered: this.#name } })
  }

  /** Takes the parameters out of the address, by going back where that is how it was opened. */
  close(...parameters) {
    if (history.state?.covered === this.#name) history.back()
    else setParameters(Object.fromEntries(parameters.map((name) => [name, null])))
  }
}

/** The session options in the address: `{policy, prefetching}`, each only where it is given. */
export function wishesInAddress() {
  const wishes = {}
  if (parameter('policy')) wishes.policy = parameter('policy')
  if (parameter('prefetching')) wishes.prefetching = parameter('prefetching') !== 'off'
  return wishes
}

/** Bounds of the API: ms, Mbit/s, a share. */
const NETWORK = { latency: [0, 60_000], bandwidth: [0.01, 100_000], failureRate: [0, 1] }

/** The demo's network as the address asks for it, for the sessions of this page alone: `{network}`, or `{}`. */
export function networkInAddress() {
  if (!document.documentElement.hasAttribute('data-demo')) return {}
  const network = {}
  for (const [name, [least, most]] of Object.entries(NETWORK)) {
    const value = Number(parameter(name) || NaN)
    if (Number.isFinite(value)) network[name] = Math.min(most, Math.max(least, value))
  }
  return Object.keys(network).length ? { network } : {}
}
