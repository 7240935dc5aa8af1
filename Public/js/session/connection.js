// One session and its event stream, kept alive: opened, taken up again where it was, made anew when the server forgot it.

import { EVENTS } from '../boot.js'
import { address, call, get, patch, post, read } from './api.js'
import { postFromWorker } from './post-from-worker.js'

const FIRST_WAIT = 400
const LONGEST_WAIT = 8000
const SILENCE = 40_000 // the server speaks at least every 15 s

/**
 * handlers: `describe()` gives the body that asks for a session; `state(name, error)` hears of every change;
 * `opened(session)` a new session; `reopened()` the stream back on the same session; `event(name, data)` the rest.
 * `opening`: a session that was asked for before, if there is one.
 * States: connecting, live, reconnecting, full, gone, token, refused, closed. Each but the last ends by itself.
 */
export class Connection {
  constructor(handlers, opening) {
    Object.assign(this, { handlers, opening })
    this.session = null
    this.source = null
    this.attempt = 0
    this.run = 0 // rises with every change of mind, so that late answers are dropped
    this.state = 'closed'
    this.heard = 0
    addEventListener('online', () => this.#hurry())
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#rest() : this.#wake()))
    addEventListener('pagehide', () => this.close())
    addEventListener('pageshow', (event) => event.persisted && this.open())
    setInterval(() => this.#listen(), 5000)
  }

  get path() {
    return this.session && pathOf(this.session.id)
  }

  get live() {
    return this.state === 'live'
  }

  async open() {
    const run = ++this.run
    clearTimeout(this.timer)
    this.#drop()
    this.left = this.session?.id ?? this.left
    this.session = null
    if (this.state === 'closed') this.#enter('connecting')
    try {
      const request = await this.handlers.describe()
      const early = run === this.run ? this.opening?.take(request) : null
      const session = await (early ? read(early.answer) : post('api/v1/sessions', request))
      await early?.listening
      if (run !== this.run) return early ? early.abandon() : beacon(session.id)
      if (this.left) beacon(this.left)
      this.left = null
      this.session = session
      this.lastEvent = ''
      this.handlers.opened(session)
      this.#stream(early)
    } catch (error) {
      if (run === this.run) this.#failed(error)
    }
  }

  /** Changes the session; resolves to the Session, or to null when it is gone (a new one is then on its way). */
  async change(changes) {
    if (!this.session) return null
    return this.#guard(patch(this.path, changes))
  }

  /** Posts to a path of the session, with the same promise as `change`. */
  async send(action, body) {
    if (!this.session) return null
    return this.#guard(postFromWorker(`${this.path}/${action}`, body))
  }

  /** Leaves for good: the server cancels everything this session wanted. */
  close() {
    ++this.run
    clearTimeout(this.timer)
    const id = this.session?.id ?? this.left
    if (id) beacon(id)
    this.#drop()
    this.session = this.left = null
    this.#enter('closed')
  }

  async #guard(promise) {
    const id = this.session.id
    try {
      return await promise
    } catch (error) {
      const ours = this.session?.id === id
      if (ours && (error.status < 400 || [401, 403, 404].includes(error.status) || error.status >= 500)) this.#failed(error)
      else if (ours) console.warn('Lookahead:', error.message)
      return null
    }
  }

  /** Listens to the session; `early` may have begun to. */
  #stream(early) {
    this.#drop()
    const since = this.lastEvent ? `&lastEventID=${this.lastEvent}` : ''
    const source = early?.source ?? new EventSource(address(`${this.path}/events?only=${EVENTS}${since}`))
    this.source = source
    this.heard = performance.now()
    let greeted = false
    const hear = (name, event) => {
      if (source !== this.source) return
      this.heard = performance.now()
      if (event.lastEventId) this.lastEvent = event.lastEventId
      const data = event.data ? JSON.parse(event.data) : {}
      if (name === 'bye') return this.#failed({ status: 404, reason: data.reason })
      if (name === 'hello') {
        const again = greeted || this.state === 'reconnecting'
        greeted = true
        this.attempt = 0
        this.#enter('live')
        if (again) this.handlers.reopened()
      }
      this.handlers.event(name, data)
    }
    for (const name of EVENTS) source.addEventListener(name, (event) => hear(name, event))
    source.addEventListener('open', () => {
      if (source === this.source) this.heard = performance.now()
    })
    source.addEventListener('error', () => {
      if (source === this.source) this.#failed({ status: 0 })
    })
    if (early) early.replay(hear)
  }

  #failed(error) {
    ++this.run
    this.#drop()
    clearTimeout(this.timer)
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.attempt++) * (0.75 + Math.random() / 2)
    const gone = error.status === 404 && !this.session && error.problem // the gallery, not the session
    if (error.status === 404) this.session = null
    if (error.status === 401) this.#enter('token', error)
    else if (error.status === 403) this.#enter('refused', error)
    else if (error.status === 429) this.#enter('full', error)
    else if (gone) this.#enter('gone', error)
    else this.#enter('reconnecting', error)
    if (!document.hidden) this.timer = setTimeout(() => this.#resume(), wait)
  }

  /** Back to the session there was, if the server still has it: it knows what the page holds. */
  async #resume() {
    if (!this.session) return this.open()
    const run = ++this.run
    try {
      await get(this.path)
      if (run === this.run) this.#stream()
    } catch (error) {
      if (run !== this.run) return
      if (error.status === 404) return this.open()
      this.#failed(error)
    }
  }

  #enter(state, error) {
    if (state === 'live') clearTimeout(this.timer)
    if (state === this.state && !error) return
    this.state = state
    this.handlers.state(state, error)
  }

  #drop() {
    this.source?.close()
    this.source = null
  }

  #hurry() {
    if (!this.live && this.state !== 'closed' && this.state !== 'connecting') {
      clearTimeout(this.timer)
      this.#resume()
    }
  }

  // A hidden tab gives its connection back: a browser opens only six to a server.
  #rest() {
    clearTimeout(this.timer)
    this.resting = Boolean(this.source)
    this.#drop()
  }

  #wake() {
    if (this.session && this.resting) {
      this.#stream()
      this.handlers.reopened()
    } else this.#hurry()
    this.resting = false
  }

  #listen() {
    if (this.source && this.live && performance.now() - this.heard > SILENCE) {
      // Comments do not reach the page; a cheap question tells silence from death.
      this.heard = performance.now()
      this.#guard(call('GET', this.path))
    }
  }
}

const pathOf = (id) => `api/v1/sessions/${encodeURIComponent(id)}`

function beacon(id) {
  navigator.sendBeacon(address(`${pathOf(id)}/close`))
}
