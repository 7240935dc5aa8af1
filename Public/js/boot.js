// The page's first script. It requests the session, opens its event stream and draws the first screen. Then it loads the rest of
// the page. It loads together with the stylesheets, in the first six requests, so that none of them waits for a connection.

import { densityIn, EVENTS, hasRail, hasTitles, kindIn, layoutOptions, measured, sessionRequest } from './layout/layout-options.js'
import { arrangingParameters, networkInAddress, parameter, placeInAddress, wishesInAddress, withoutCredentials } from './page/address-bar.js'

const PATIENCE = 30_000 // ms after which a page that has not finished loading ends its session
const LONG = 400 // pictures; in a gallery with more of them, a phone's header hides while the person scrolls down
export const RACEABLE = 100 // minimum number of pictures for a comparison; fewer need no scrolling
const NAME = 'lookahead-name'

const base = withoutCredentials(new URL('.', document.baseURI))
/**
 * Whether the page is about to reload at its address without user and password. The browser remembers both. If the address kept them,
 * the browser would load this module twice, from two addresses.
 */
const opensAgain = base.href !== new URL('.', document.baseURI).href
const byId = (id) => document.getElementById(id)
const number = new Intl.NumberFormat('en')
/** Matches if there is room beside the pictures. */
export const wide = matchMedia('(width >= 900px)')

/** Name that followers of this person see. Empty until the person enters one. */
export function presenterName() {
  try {
    return localStorage.getItem(NAME) ?? ''
  } catch {
    return ''
  }
}

export function keepPresenterName(name) {
  try {
    localStorage.setItem(NAME, name)
  } catch {
    // Without storage the name lasts until the page closes.
  }
}

/** Disables a control and shows the reason in its tooltip and description. Enables the control if `reason` is ''. */
export function disable(control, reason) {
  control.dataset.usual ??= control.title
  control.disabled = reason !== ''
  control.title = reason || control.dataset.usual
  if (reason) control.setAttribute('aria-description', reason)
  else control.removeAttribute('aria-description')
}

/** Reason why a gallery has too many pictures to be searched, sorted and grouped. '' if it can be. */
export const tooMany = ({ itemCount, arrangementLimit }) => !arrangementLimit ? ''
  : `Search, sorting and grouping work up to ${number.format(arrangementLimit)} pictures. This gallery has ${number.format(itemCount)}.`

/**
 * Shows a gallery's name and size, and lays out the page around the pictures. Afterwards the room for the pictures can be measured.
 * `base` is the gallery that `gallery` arranges, or `gallery` itself.
 */
export function frameGallery(gallery, base = gallery) {
  const { itemCount } = gallery
  const { title, source } = base
  document.documentElement.dataset.known = 'true'
  document.documentElement.toggleAttribute('data-demo', source === 'demo')
  document.documentElement.toggleAttribute('data-long', itemCount > LONG)
  document.documentElement.toggleAttribute('data-rail', wide.matches && hasRail(gallery))
  document.title = `${title} · Lookahead`
  byId('title').textContent = title
  const of = itemCount === base.itemCount ? (itemCount === 1 ? 'picture' : 'pictures') : `of ${number.format(base.itemCount)}`
  byId('count').textContent = `${number.format(itemCount)} ${of}`
  byId('grid').setAttribute('aria-label', title)
  // The header does not change its layout later: an unusable control is disabled, not hidden.
  disable(byId('race-open'), itemCount < RACEABLE ? `A comparison needs at least ${RACEABLE} pictures.` : '')
  byId('full-screen').hidden = !document.fullscreenEnabled
  byId('galleries-open').hidden = parameter('gallery') === null // the server has only one gallery
  const notShown = [...(base.notShown ?? []), ...(base.leftOut ?? [])].reduce((sum, { count }) => sum + count, 0)
  byId('not-shown-open').hidden = !notShown
  byId('not-shown-open').textContent = `${number.format(notShown)} not shown`
  if (base.arrangementLimit) disable(document.querySelector('#search input'), tooMany(base))
}

/** Returns the position at which the page opens, from its address; null for the beginning of the gallery. */
export function openingAnchor(itemCount, { headerHeight }) {
  const place = placeInAddress(itemCount)
  return place && { item: place.item, fraction: place.fraction ?? 0, at: place.at ?? headerHeight } // below the section's title
}

/** A session that was requested before the page's own code has loaded. */
class Opening {
  /** The gallery embedded in the document; null after `takeGallery`. */
  gallery = null
  /** The arrangement to show, if embedded in the document; null after `takeGallery`. */
  arranged = null
  /** @type {Promise<Response>} response to the session request */
  response
  /** @type {Promise<unknown>} settled once the channel exists */
  listening
  /** @type {import('./session/event-channel.js').EventChannel | null} */
  channel = null
  /** @type {import('./grid/first-screen.js').FirstScreen | null} */
  screen = null
  /** @type {Promise<unknown>} settled once the first screen is drawn or drawing failed */
  drawing = Promise.resolve()
  #request = '' // body of the session request; '' after `take`
  #session = '' // id of the session
  #events = [] // received so far, as `[name, data]`
  #isAbandoned = false
  #waiting = new AbortController() // aborted once the session is in use or abandoned
  #timer = 0

  constructor() {
    this.gallery = embedded('gallery')
    this.arranged = embedded('arranged')
    // A race opens its own sessions. The dashboard's size is known only after its code has loaded. An arrangement that is not
    // embedded has to be requested first.
    const needsArrangement = !this.arranged && (this.gallery?.defaultArrangement || arrangingParameters().length)
    if (!this.gallery?.itemCount || parameter('race') !== null || parameter('dashboard') !== null || needsArrangement) return
    const shown = this.arranged ?? this.gallery
    frameGallery(shown, this.gallery)
    this.#ask(shown)
  }

  #ask(gallery) {
    const viewport = measured(byId('scroller'))
    if (!viewport.width || !viewport.height) return
    const { sections, itemCount } = gallery
    const layout = layoutOptions({
      kind: kindIn(parameter('layout'), gallery.source), density: densityIn(parameter('size')), width: viewport.width, titled: hasTitles(sections),
    })
    const anchor = openingAnchor(itemCount, layout)
    const where = anchor ? { anchor } : { scrollTop: 0 }
    this.#request = JSON.stringify(sessionRequest({ gallery, layout, viewport, where, name: presenterName(), wishes: { ...wishesInAddress(), ...networkInAddress() } }))
    this.response = fetch(new URL('api/v1/sessions', base), {
      method: 'POST', headers: { accept: 'application/json', 'content-type': 'application/json' }, body: this.#request, cache: 'no-store',
    })
    const loading = import('./session/event-channel.js') // while the server responds
    if (layout.kind === 'grid' && !anchor) this.drawing = this.#draw(gallery, layout, viewport).catch(() => {})
    this.listening = this.response.then(async (response) => response.ok && this.#listen(await response.clone().json(), await loading)).catch(() => {})
    addEventListener('pagehide', () => this.abandon(), { signal: this.#waiting.signal })
    this.#timer = setTimeout(() => this.abandon(), PATIENCE)
  }

  async #draw(gallery, layout, viewport) {
    const { FirstScreen } = await import('./grid/first-screen.js')
    this.screen = new FirstScreen(gallery, layout, viewport, { wide, root: document.documentElement })
    for (const [name, data] of this.#events) if (name === 'thumbnail') this.screen.received(data)
  }

  #received(name, data) {
    this.#events.push([name, data])
    if (name === 'thumbnail') this.screen?.received(data)
  }

  #listen({ id }, { EventChannel }) {
    this.#session = id
    if (this.#isAbandoned) return this.abandon()
    const channel = (this.channel = new EventChannel(EVENTS, {
      received: (name, data) => this.#received(name, data),
      lost: () => channel.close(), // the page reopens the stream
    }))
    channel.open(new URL(`api/v1/sessions/${encodeURIComponent(id)}/events?except=plan`, base).href)
  }

  /** Returns the embedded gallery and its arrangement on the first call, null for both afterwards: later ones have to be requested. */
  takeGallery() {
    const { gallery, arranged } = this
    this.gallery = this.arranged = null
    return { gallery, arranged }
  }

  /** Returns this opening if it was made with the same request. Otherwise ends its session and returns null. */
  take(request) {
    if (!this.#request || this.#isAbandoned) return null
    const isSame = this.#request === JSON.stringify(request)
    this.#request = ''
    if (!isSame) this.abandon()
    clearTimeout(this.#timer)
    return isSame ? this : null
  }

  /** Passes each event received so far to `received(name, data)`. Later events go to the channel's listener. */
  replay(received) {
    this.#waiting.abort()
    for (const [name, data] of this.#events) received(name, data)
    this.#events = []
  }

  /** Ends the session, now or as soon as the server has created it. */
  abandon() {
    this.#isAbandoned = true
    this.#waiting.abort()
    this.channel?.close()
    if (this.#session) navigator.sendBeacon(new URL(`api/v1/sessions/${encodeURIComponent(this.#session)}/close`, base))
    this.#session = ''
  }
}

function embedded(id) {
  const text = byId(id)?.textContent
  return text ? JSON.parse(text) : null
}

function begin() {
  try {
    return new Opening()
  } catch (error) {
    console.warn('Lookahead:', error) // the page then requests a session itself
    return null
  }
}

function loadRest() {
  const rest = /** @type {HTMLTemplateElement} */ (byId('rest')).content
  const main = /** @type {Element} */ (rest.querySelector('script[type=module]'))
  main.remove()
  document.head.append(rest)
  Promise.resolve(opening?.drawing).then(() => document.head.append(main))
}

export const opening = opensAgain ? null : begin()

if (opensAgain) location.replace(withoutCredentials(location.href))
else loadRest()
