// Keeps one session and its event stream alive: opens them, reconnects, and opens a new session if the server has lost the old one.

import { EVENTS } from '../layout/layout-options.js'
import { TIMEOUT, ResponseWatch } from './response-watch.js'
import { address, get, patch, post, read } from './api.js'
import { EventChannel } from './event-channel.js'
import { postFromWorker } from './post-from-worker.js'

const OPENING = 3000 // time limit for opening a session, in ms: a proxy may try two servers

/**
 * `handlers`:
 * - `describe(isAgain)` resolves to the body of a session request; with `isAgain` for the same gallery as the last session.
 * - `state(name, error)` is called with every change of the state.
 * - `opened(session)` is called with every new session.
 * - `reopened()` is called when the stream is back on the same session.
 * - `event(name, data)` is called with every event of the stream, except bye.
 * - `isAwaiting()` returns whether visible pictures are missing.
 *
 * `opening`: a session that was requested before, if any. `signal`: ends all listening when aborted. `source`: see `EventChannel`.
 *
 * States: connecting, live, reconnecting, full, gone, token, refused, closed. In all but the last the connection retries automatically.
 */
export class Connection {
  session = null
  state = 'closed'
  #handlers
  #opening
  /** @type {EventChannel} */
  #channel
  #left = null // id of a former session, to be ended once there is a new one
  #run = 0 // increases with every new attempt, so that late responses are dropped
  #isKnown = false // whether the last session was of the gallery to show
  #isLost = false // whether the server may have lost the session
  #watch = new ResponseWatch()
  #requests = new AbortController() // aborts all pending requests
  #timer = 0 // timer of the next check
  #checkAt = Infinity // time of the next check, ms

  constructor(handlers, opening, { signal = undefined, source = undefined } = {}) {
    this.#handlers = handlers
    this.#opening = opening
    this.#channel = new EventChannel(EVENTS, this.#listener, { signal, source })
    addEventListener('pagehide', () => this.close(), { signal })
    addEventListener('pageshow', (event) => event.persisted && this.open(), { signal })
    document.addEventListener('visibilitychange', () => this.#scheduleCheck(), { signal })
  }

  get path() {
    return this.session && pathOf(this.session.id)
  }

  get live() {
    return this.state === 'live'
  }

  /** Opens a new session. Looks up again which gallery to show. */
  open() {
    this.#isKnown = false
    return this.#open()
  }

  /** Called when the person scrolls: retries a lost connection immediately. */
  moved() {
    if (this.state === 'reconnecting') this.#channel.hurry()
  }

  async #open() {
    const run = ++this.#run
    const isAgain = this.#isKnown
    let early = null
    this.#channel.close()
    this.#watch.reset()
    this.#left = this.session?.id ?? this.#left
    this.session = null
    if (this.state === 'closed') this.#enter('connecting')
    try {
      const request = await this.#handlers.describe(isAgain)
      if (run !== this.#run) return
      early = this.#opening?.take(request)
      const session = await this.#withTimeout((signal) => (early ? read(early.response) : post('api/v1/sessions', request, { signal })), OPENING)
      await early?.listening
      if (run !== this.#run) return early ? early.abandon() : beacon(session.id)
      if (this.#left) beacon(this.#left)
      this.#left = null
      this.session = session
      this.#isKnown = true
      this.#isLost = false
      this.#handlers.opened(session)
      if (run === this.#run) this.#listen(early)
      else early?.abandon()
    } catch (error) {
      early?.abandon()
      if (run !== this.#run) return
      if (isAgain && [404, 422].includes(error.status)) this.open() // this server does not have the gallery: look up which one to show
      else this.#failed(error)
    }
  }

  /** Changes the session. Resolves to the Session, or to null if it is lost or the server refused the change. */
  async change(changes) {
    if (!this.#isUsable) return null
    return this.#guard((signal) => patch(this.path, changes, { signal }), Infinity) // computing a layout may take long
  }

  /** Posts to a path of the session. Resolves to the response's body, or to null like `change`. */
  async send(action, body) {
    if (!this.#isUsable) return null
    const response = await this.#guard((signal) => postFromWorker(`${this.path}/${action}`, body, signal))
    if (response) this.#watch.announced(performance.now())
    this.#scheduleCheck()
    return response
  }

  /** Ends the session for good. The server cancels its work for it. */
  close() {
    ++this.#run
    this.#forgetRequests()
    const id = this.session?.id ?? this.#left
    if (id) beacon(id)
    this.#channel.close()
    this.session = this.#left = null
    this.#enter('closed')
  }

  /** Whether changes may be sent. If the session may be lost, only `#isStillThere` sends a request. */
  get #isUsable() {
    return this.session && !this.#isLost
  }

  async #guard(send, limit = TIMEOUT) {
    const run = this.#run
    try {
      return await this.#withTimeout(send, limit)
    } catch (error) {
      if (run !== this.#run) return null
      if (error.status < 400 || [401, 403, 404].includes(error.status) || error.status >= 500) this.#failed(error)
      else console.warn('Lookahead:', error.message)
      return null
    }
  }

  /** Resolves to the result of `send(signal)`. Aborted if the server stops responding; `limit` is this request's time limit in ms. */
  async #withTimeout(send, limit = TIMEOUT) {
    const request = this.#watch.sent(performance.now(), limit)
    this.#scheduleCheck()
    let hasResponse = true
    try {
      return await send(this.#requests.signal)
    } catch (error) {
      hasResponse = error.status > 0
      throw error
    } finally {
      this.#watch.ended(request, performance.now(), hasResponse)
      this.#scheduleCheck()
    }
  }

  #forgetRequests() {
    this.#requests.abort()
    this.#requests = new AbortController()
    this.#watch.reset()
  }

  /** Listens to the session's events, on the stream of `early` if there is one. */
  #listen(early) {
    if (early?.channel) {
      this.#channel.close()
      this.#channel = early.channel
      this.#channel.listen(this.#listener)
    }
    if (!early?.channel?.isOpen) this.#channel.open(address(`${this.path}/events?except=plan`))
    this.#watch.received(performance.now())
    this.#scheduleCheck()
    early?.replay((name, data) => this.#received(name, data))
  }

  get #listener() {
    return {
      received: (name, data) => this.#received(name, data),
      lost: () => this.#failed({ status: 0 }),
      ready: () => this.#isStillThere(),
      woken: () => {
        this.#watch.received(performance.now())
        this.#handlers.reopened()
      },
    }
  }

  #received(name, data) {
    this.#watch.received(performance.now())
    if (name === 'bye') return this.#failed({ status: 404, reason: data.reason })
    if (name === 'hello') {
      const again = this.state === 'reconnecting'
      this.#isLost = false
      this.#enter('live')
      if (again) this.#handlers.reopened()
    }
    this.#handlers.event(name, data)
  }

  #failed(error) {
    ++this.#run
    this.#isLost = true
    this.#forgetRequests()
    const gone = error.status === 404 && !this.session && error.problem // the gallery does not exist
    // After a timeout, of a proxy or of this page, the session's server would probably time out again. Open a new session: another
    // server may respond.
    if (error.status === 504) this.#left = this.session?.id ?? this.#left
    if (error.status === 404 || error.status === 504) this.session = null
    if (error.status === 401) this.#enter('token', error)
    else if (error.status === 403) this.#enter('refused', error)
    else if (error.status === 429) this.#enter('full', error)
    else if (gone) this.#enter('gone', error)
    else this.#enter('reconnecting', error)
    this.#channel.retry(this.state !== 'reconnecting')
  }

  /** Resolves to whether the server still has the session, so that the stream can be reopened. If not, opens a new session. */
  async #isStillThere() {
    if (!this.session) {
      this.#open()
      return false
    }
    const run = ++this.#run
    try {
      await this.#withTimeout((signal) => get(this.path, { signal }))
      return run === this.#run
    } catch (error) {
      if (run !== this.#run) return false
      if (error.status === 404) this.#open()
      else this.#failed(error)
      return false
    }
  }

  #enter(state, error) {
    if (state === this.state && !error) return
    this.state = state
    this.#handlers.state(state, error)
  }

  get #awaited() {
    return !this.live || this.#handlers.isAwaiting()
  }

  /** Schedules a check for the time when the next response or event is due. */
  #scheduleCheck() {
    // Assume that pictures are awaited, and find out at the check: finding out costs more than an unnecessary check.
    this.#checkBy(this.#watch.due(this.#channel.isOpen, true))
  }

  #checkBy(due) {
    if (due >= this.#checkAt) return
    clearTimeout(this.#timer)
    this.#checkAt = due
    this.#timer = setTimeout(() => this.#check(), Math.max(0, due - performance.now()))
  }

  #check() {
    this.#checkAt = Infinity
    const isListening = this.#channel.isOpen
    const isAwaited = isListening && this.#awaited
    const verdict = this.#watch.check(performance.now(), { isListening, isAwaited, isHidden: document.hidden })
    if (verdict === 'lost') this.#failed({ status: 504 })
    else if (verdict === 'reopen') this.#failed({ status: 0 })
    else if (verdict === 'probe') this.#guard((signal) => get(this.path, { signal }))
    this.#checkBy(this.#watch.due(this.#channel.isOpen, isAwaited))
  }
}

const pathOf = (id) => `api/v1/sessions/${encodeURIComponent(id)}`

function beacon(id) {
  navigator.sendBeacon(address(`${pathOf(id)}/close`))
}
