// One session and its event stream, kept alive: opened, taken up again where it was, made anew when the server forgot it.

import { EVENTS } from '../layout/layout-options.js'
import { address, call, get, patch, post, read } from './api.js'
import { EventChannel } from './event-channel.js'
import { postFromWorker } from './post-from-worker.js'

const SILENCE = 40_000 // ms; the server speaks at least every 15 s

/**
 * handlers: `describe()` gives the body that asks for a session; `state(name, error)` hears of every change;
 * `opened(session)` a new session; `reopened()` the stream back on the same session; `event(name, data)` the rest.
 * `opening`: a session that was asked for before, if there is one. `signal`: aborted where it is to hear nothing any more.
 * `source`: see `EventChannel`.
 * States: connecting, live, reconnecting, full, gone, token, refused, closed. Each but the last ends by itself.
 */
export class Connection {
  session = null
  state = 'closed'
  #handlers
  #opening
  /** @type {EventChannel} */
  #channel
  #left = null // the id of a session that is to be given back once there is another
  #run = 0 // rises with every change of mind, so that late answers are dropped

  constructor(handlers, opening, { signal = undefined, source = undefined } = {}) {
    this.#handlers = handlers
    this.#opening = opening
    this.#channel = new EventChannel(EVENTS, this.#listener, { signal, source })
    addEventListener('pagehide', () => this.close(), { signal })
    addEventListener('pageshow', (event) => event.persisted && this.open(), { signal })
    const timer = setInterval(() => this.#checkSilence(), 5000)
    signal?.addEventListener('abort', () => clearInterval(timer))
  }

  get path() {
    return this.session && pathOf(this.session.id)
  }

  get live() {
    return this.state === 'live'
  }

  async open() {
    const run = ++this.#run
    this.#channel.close()
    this.#left = this.session?.id ?? this.#left
    this.session = null
    if (this.state === 'closed') this.#enter('connecting')
    try {
      const request = await this.#handlers.describe()
      if (run !== this.#run) return
      const early = this.#opening?.take(request)
      const session = await (early ? read(early.answer) : post('api/v1/sessions', request))
      await early?.listening
      if (run !== this.#run) return early ? early.abandon() : beacon(session.id)
      if (this.#left) beacon(this.#left)
      this.#left = null
      this.session = session
      this.#handlers.opened(session)
      if (run === this.#run) this.#listen(early)
      else early?.abandon()
    } catch (error) {
      if (run === this.#run) this.#failed(error)
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
    ++this.#run
    const id = this.session?.id ?? this.#left
    if (id) beacon(id)
    this.#channel.close()
    this.session = this.#left = null
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
  #listen(early) {
    if (early?.channel) {
      this.#channel.close()
      this.#channel = early.channel
      this.#channel.listen(this.#listener)
    }
    if (!early?.channel?.isOpen) this.#channel.open(address(`${this.path}/events`))
    early?.replay((name, data) => this.#heard(name, data))
  }

  get #listener() {
    return {
      hear: (name, data) => this.#heard(name, data),
      lost: () => this.#failed({ status: 0 }),
      ready: () => this.#isStillThere(),
      woken: () => this.#handlers.reopened(),
    }
  }

  #heard(name, data) {
    if (name === 'bye') return this.#failed({ status: 404, reason: data.reason })
    if (name === 'hello') {
      const again = this.state === 'reconnecting'
      this.#enter('live')
      if (again) this.#handlers.reopened()
    }
    this.#handlers.event(name, data)
  }

  #failed(error) {
    ++this.#run
    this.#channel.retry()
    const gone = error.status === 404 && !this.session && error.problem // the gallery, not the session
    // A proxy that waited in vain would do so again: the place is opened anew, where another server may have it.
    if (error.status === 504) this.#left = this.session?.id ?? this.#left
    if (error.status === 404 || error.status === 504) this.session = null
    if (error.status === 401) this.#enter('token', error)
    else if (error.status === 403) this.#enter('refused', error)
    else if (error.status === 429) this.#enter('full', error)
    else if (gone) this.#enter('gone', error)
    else this.#enter('reconnecting', error)
  }

  /** Whether the server still has the session, which knows what the page holds; without one asks for a new one. */
  async #isStillThere() {
    if (!this.session) {
      this.open()
      return false
    }
    const run = ++this.#run
    try {
      await get(this.path)
      return run === this.#run
    } catch (error) {
      if (run !== this.#run) return false
      if (error.status === 404) this.open()
      else this.#failed(error)
      return false
    }
  }

  #enter(state, error) {
    if (state === this.state && !error) return
    this.state = state
    this.#handlers.state(state, error)
  }

  #checkSilence() {
    const channel = this.#channel
    if (channel.isOpen && this.live && performance.now() - channel.heardAt > SILENCE) {
      // Comments do not reach the page; a cheap question tells silence from death.
      channel.heardAt = performance.now()
      this.#guard(call('GET', this.path))
    }
  }
}

const pathOf = (id) => `api/v1/sessions/${encodeURIComponent(id)}`

function beacon(id) {
  navigator.sendBeacon(address(`${pathOf(id)}/close`))
}
