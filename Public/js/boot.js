// The page's first script: asks for the session, opens its stream and draws the first screen, and only then loads the rest
// of the page. It comes with the stylesheets, in the first six requests, so that nothing waits for a connection.

import { densityIn, EVENTS, hasRail, hasTitles, kindIn, layoutOptions, measured, sessionRequest } from './layout/layout-options.js'
import { arrangingParameters, networkInAddress, parameter, placeInAddress, wishesInAddress, withoutCredentials } from './page/address-bar.js'

const PATIENCE = 30_000 // ms after which a page that never came together gives its session back
const LONG = 400 // pictures, from which on a phone's header makes room while one scrolls down
export const RACEABLE = 100 // pictures, from which on there is something to scroll through
const NAME = 'lookahead-name'

const base = withoutCredentials(new URL('.', document.baseURI))
/**
 * Whether the page is about to open again, at its address without user and password. The browser remembers both. At an address with
 * them it would load this module twice, by two addresses.
 */
const opensAgain = base.href !== new URL('.', document.baseURI).href
const byId = (id) => document.getElementById(id)
const number = new Intl.NumberFormat('en')
/** Whether there is room beside the pictures. */
export const wide = matchMedia('(width >= 900px)')

/** The name under which this person presents; empty until one is given. */
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
    // Then it lasts as long as the page.
  }
}

/** Disables a control, and says why in its tooltip and its description; enables it where there is no reason (''). */
export function disable(control, reason) {
  control.dataset.usual ??= control.title
  control.disabled = reason !== ''
  control.title = reason || control.dataset.usual
  if (reason) control.setAttribute('aria-description', reason)
  else control.removeAttribute('aria-description')
}

/** Why a gallery cannot be searched, sorted and grouped: it has too many pictures; '' where it has not. */
export const tooMany = ({ itemCount, arrangementLimit }) => !arrangementLimit ? ''
  : `Search, sorting and grouping work up to ${number.format(arrangementLimit)} pictures. This gallery has ${number.format(itemCount)}.`

/**
 * Shows a gallery's name and what its kind needs around the pictures; `base` is the gallery it is an arrangement of, or
 * itself. From here on the pictures' room can be measured.
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
  // The header keeps its place from here on: what cannot be used now is disabled, not hidden.
  disable(byId('race-open'), itemCount < RACEABLE ? `A comparison needs at least ${RACEABLE} pictures.` : '')
  byId('full-screen').hidden = !document.fullscreenEnabled
  byId('galleries-open').hidden = parameter('gallery') === null // then it is the only one
  const notShown = [...(base.notShown ?? []), ...(base.leftOut ?? [])].reduce((sum, { count }) => sum + count, 0)
  byId('not-shown-open').hidden = !notShown
  byId('not-shown-open').textContent = `${number.format(notShown)} not shown`
  if (base.arrangementLimit) disable(document.querySelector('#search input'), tooMany(base))
}

/** Where a page opens that its address leads into the middle of a gallery; null for the beginning. */
export function openingAnchor(itemCount, { headerHeight }) {
  const place = placeInAddress(itemCount)
  return place && { item: place.item, fraction: place.fraction ?? 0, at: place.at ?? headerHeight } // clear of the section's title
}

/** A session asked for before the page is there to use it. */
class Opening {
  /** The gallery that came with the document, until it is taken. */
  gallery = null
  /** The arrangement of it that is shown, where it came too, until it is taken. */
  arranged = null
  /** @type {Promise<Response>} what the server says to the request */
  answer
  /** @type {Promise<unknown>} settled once the channel is there */
  listening
  /** @type {import('./session/event-channel.js').EventChannel | null} */
  channel = null
  /** @type {import('./grid/first-screen.js').FirstScreen | null} */
  screen = null
  /** @type {Promise<unknown>} settled once the first screen is drawn, or will not be */
  drawing = Promise.resolve()
  #request = '' // what was asked for, until it is taken
  #session = '' // its id
  #heard = [] // events: `[name, data]`
  #isAbandoned = false
  #waiting = new AbortController() // aborted once it is known what becomes of it
  #timer = 0

  constructor() {
    this.gallery = embedded('gallery')
    this.arranged = embedded('arranged')
    // A race has sessions of its own, the dashboard's room is known once its code is there, and an arrangement that did not
    // come along has to be asked for first.
    const isToBeArranged = !this.arranged && (this.gallery?.defaultArrangement || arrangingParameters().length)
    if (!this.gallery?.itemCount || parameter('race') !== null || parameter('dashboard') !== null || isToBeArranged) return
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
    this.answer = fetch(new URL('api/v1/sessions', base), {
      method: 'POST', headers: { accept: 'application/json', 'content-type': 'application/json' }, body: this.#request, cache: 'no-store',
    })
    const loading = import('./session/event-channel.js') // while the server answers
    if (layout.kind === 'grid' && !anchor) this.drawing = this.#draw(gallery, layout, viewport).catch(() => {})
    this.listening = this.answer.then(async (answer) => answer.ok && this.#listen(await answer.clone().json(), await loading)).catch(() => {})
    addEventListener('pagehide', () => this.abandon(), { signal: this.#waiting.signal })
    this.#timer = setTimeout(() => this.abandon(), PATIENCE)
  }

  async #draw(gallery, layout, viewport) {
    const { FirstScreen } = await import('./grid/first-screen.js')
    this.screen = new FirstScreen(gallery, layout, viewport, { wide, root: document.documentElement })
    for (const [name, data] of this.#heard) if (name === 'thumbnail') this.screen.received(data)
  }

  #hear(name, data) {
    this.#heard.push([name, data])
    if (name === 'thumbnail') this.screen?.received(data)
  }

  #listen({ id }, { EventChannel }) {
    this.#session = id
    if (this.#isAbandoned) return this.abandon()
    const channel = (this.channel = new EventChannel(EVENTS, {
      hear: (name, data) => this.#hear(name, data),
      lost: () => channel.close(), // the page opens it again
    }))
    channel.open(new URL(`api/v1/sessions/${encodeURIComponent(id)}/events`, base).href)
  }

  /** The gallery that came with the document, and the arrangement of it, once; later ones are asked for. */
  takeGallery() {
    const { gallery, arranged } = this
    this.gallery = this.arranged = null
    return { gallery, arranged }
  }

  /** Hands over what was asked for, if `request` asks for the same; otherwise gives it back to the server. */
  take(request) {
    if (!this.#request || this.#isAbandoned) return null
    const isSame = this.#request === JSON.stringify(request)
    this.#request = ''
    if (!isSame) this.abandon()
    clearTimeout(this.#timer)
    return isSame ? this : null
  }

  /** Hands each event heard so far to `hear(name, data)`; the later ones go to the listener of the channel. */
  replay(hear) {
    this.#waiting.abort()
    for (const [name, data] of this.#heard) hear(name, data)
    this.#heard = []
  }

  /** Ends the session, now or as soon as it is there. */
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
    console.warn('Lookahead:', error) // then the page asks by itself
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
