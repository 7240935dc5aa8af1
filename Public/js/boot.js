// The page's first script: asks for the session and opens its stream, and only then loads the rest of the page. It comes
// with the stylesheets, in the first six requests, so that nothing waits for a connection.

import { densityIn, hasTitles, kindIn, layoutOptions } from './layout/layout-options.js'
import { parameter, placeInAddress, wishesInAddress } from './page/address-bar.js'

/** The events a page listens to. */
export const EVENTS = ['hello', 'thumbnail', 'failed', 'plan', 'scroll', 'layout', 'gallery', 'bye']
const PATIENCE = 30_000 // ms after which a page that never came together gives its session back
const LONG = 400 // pictures, from which on a phone's header makes room while one scrolls down
const NAME = 'lookahead-name'

const base = new URL('../', import.meta.url)
const byId = (id) => document.getElementById(id)
const number = new Intl.NumberFormat('en')
const wide = matchMedia('(width >= 900px)')

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

/** Whether the titles of sections stand beside the pictures. */
export const hasRail = (sections) => wide.matches && sections.length > 1

/** Shows a gallery's name and what its kind needs around the pictures. From here on the pictures' room can be measured. */
export function frameGallery({ title, itemCount, sections, source }) {
  document.documentElement.dataset.known = 'true'
  document.documentElement.toggleAttribute('data-demo', source === 'demo')
  document.documentElement.toggleAttribute('data-long', itemCount > LONG)
  document.documentElement.toggleAttribute('data-rail', hasRail(sections))
  document.title = `${title} · Lookahead`
  byId('title').textContent = title
  byId('count').textContent = `${number.format(itemCount)} ${itemCount === 1 ? 'picture' : 'pictures'}`
  byId('grid').setAttribute('aria-label', title)
  byId('race-open').hidden = source !== 'demo' // only the demo has an origin that can be shared out
}

export function measured(scroller) {
  return { width: scroller.clientWidth, height: scroller.clientHeight, pixelRatio: Math.min(4, devicePixelRatio || 1) }
}

/** The body that asks for a session. `where` is `{scrollTop}` or `{anchor}`: the item that stays at a place of the viewport. */
export function sessionRequest({ gallery, layout, viewport, where, wishes }) {
  return { gallery: gallery.id, layout, viewport: { ...viewport, ...where }, name: presenterName(), ...wishes }
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
  /** @type {Promise<Response>} what the server says to the request */
  answer
  /** @type {Promise<unknown>} settled once the channel is there */
  listening
  /** @type {import('./session/event-channel.js').EventChannel | null} */
  channel = null
  #request = '' // what was asked for, until it is taken
  #session = '' // its id
  #heard = [] // events: `[name, data]`
  #isAbandoned = false
  #waiting = new AbortController() // aborted once it is known what becomes of it
  #timer = 0

  constructor() {
    const text = byId('gallery')?.textContent
    this.gallery = text ? JSON.parse(text) : null
    // A race has sessions of its own, and the dashboard's room is known once its code is there.
    if (!this.gallery?.itemCount || parameter('race') !== null || parameter('dashboard') !== null) return
    frameGallery(this.gallery)
    this.#ask()
  }

  #ask() {
    const viewport = measured(byId('scroller'))
    if (!viewport.width || !viewport.height) return
    const { sections, itemCount } = this.gallery
    const layout = layoutOptions({
      kind: kindIn(parameter('layout')), density: densityIn(parameter('size')), width: viewport.width, titled: hasTitles(sections),
    })
    const anchor = openingAnchor(itemCount, layout)
    const where = anchor ? { anchor } : { scrollTop: 0 }
    this.#request = JSON.stringify(sessionRequest({ gallery: this.gallery, layout, viewport, where, wishes: wishesInAddress() }))
    this.answer = fetch(new URL('api/v1/sessions', base), {
      method: 'POST', headers: { accept: 'application/json', 'content-type': 'application/json' }, body: this.#request, cache: 'no-store',
    })
    const loading = import('./session/event-channel.js') // while the server answers
    this.listening = this.answer.then(async (answer) => answer.ok && this.#listen(await answer.clone().json(), await loading)).catch(() => {})
    addEventListener('pagehide', () => this.abandon(), { signal: this.#waiting.signal })
    this.#timer = setTimeout(() => this.abandon(), PATIENCE)
  }

  #listen({ id }, { EventChannel }) {
    this.#session = id
    if (this.#isAbandoned) return this.abandon()
    const channel = (this.channel = new EventChannel(EVENTS, {
      hear: (name, data) => this.#heard.push([name, data]),
      lost: () => channel.close(), // the page opens it again
    }))
    channel.open(new URL(`api/v1/sessions/${encodeURIComponent(id)}/events`, base).href)
  }

  /** The gallery that came with the document, once; later ones are asked for. */
  takeGallery() {
    const { gallery } = this
    this.gallery = null
    return gallery
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

function begin() {
  try {
    return new Opening()
  } catch (error) {
    console.warn('Lookahead:', error) // then the page asks by itself
    return null
  }
}

export const opening = begin()

document.head.append(/** @type {HTMLTemplateElement} */ (byId('rest')).content)
import('./main.js')
