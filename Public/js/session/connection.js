// One session and its event stream, kept alive: opened, taken up again where it was, made anew when the server forgot it.

import { EVENTS } from '../layout/layout-options.js'
import { ANSWER, AnswerWatch } from './answer-watch.js'
import { address, get, patch, post, read } from './api.js'
import { EventChannel } from './event-channel.js'
import { postFromWorker } from './post-from-worker.js'

const OPENING = 3000 // ms that a new session may take: a proxy may try two servers

/**
 * handlers: `describe(isAgain)` gives the body that asks for a session, of the same gallery as the last one where `isAgain`;
 * `state(name, error)` hears of every change; `opened(session)` a new session; `reopened()` the stream back on the same
 * session; `event(name, data)` the rest; `isAwaiting()` tells whether pictures are to come.
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
  #isKnown = false // which gallery is wanted: the last session was of it
  #isLost = false // the session may not be there any more
  #watch = new AnswerWatch()
  #requests = new AbortController() // of what has no answer yet
  #timer = 0 // of the next look at them
  #lookAt = Infinity // ms, when that is

  constructor(handlers, opening, { signal = undefined, source = undefined } = {}) {
    this.#handlers = handlers
    this.#opening = opening
    this.#channel = new EventChannel(EVENTS, this.#listener, { signal, source })
    addEventListener('pagehide', () => this.close(), { signal })
    addEventListener('pageshow', (event) => event.persisted && this.open(), { signal })
    document.addEventListener('visibilitychange', () => this.#lookSoon(), { signal })
  }

  get path() {
    return this.session && pathOf(this.session.id)
  }

  get live() {
    return this.state === 'live'
  }

  /** Opens a session of the gallery that is wanted now. */
  open() {
    this.#isKnown = false
    return this.#open()
  }

  /** The person moves: a lost connection is tried again now. */
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
      const session = await this.#asked((signal) => (early ? read(early.answer) : post('api/v1/sessions', request, { signal })), OPENING)
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
      if (isAgain && [404, 422].includes(error.status)) this.open() // this server has no such gallery: which is wanted is looked up
      else this.#failed(error)
    }
  }

  /** Changes the session; resolves to the Session, or to null when it is gone (a new one is then on its way). */
  async change(changes) {
    if (!this.#isUsable) return null
    return this.#guard((signal) => patch(this.path, changes, { signal }), Infinity) // a layout may take its time
  }

  /** Posts to a path of the session, with the same promise as `change`. */
  async send(action, body) {
    if (!this.#isUsable) return null
    const answer = await this.#guard((signal) => postFromWorker(`${this.path}/${action}`, body, signal))
    if (answer) this.#watch.announced(performance.now())
    this.#lookSoon()
    return answer
  }

  /** Leaves for good: the server cancels everything this session wanted. */
  close() {
    ++this.#run
    this.#forgetRequests()
    const id = this.session?.id ?? this.#left
    if (id) beacon(id)
    this.#channel.close()
    this.session = this.#left = null
    this.#enter('closed')
  }

  /** Nothing is sent to a session that may be gone: whether it is there is asked once in a while, and by nothing else. */
  get #isUsable() {
    return this.session && !this.#isLost
  }

  async #guard(send, limit = ANSWER) {
    const run = this.#run
    try {
      return await this.#asked(send, limit)
    } catch (error) {
      if (run !== this.#run) return null
      if (error.status < 400 || [401, 403, 404].includes(error.status) || error.status >= 500) this.#failed(error)
      else console.warn('Lookahead:', error.message)
      return null
    }
  }

  /** The result of `send(signal)`; given up where the server falls silent, within `limit` ms of its own. */
  async #asked(send, limit = ANSWER) {
    const request = this.#watch.sent(performance.now(), limit)
    this.#lookSoon()
    let isAnswered = true
    try {
      return await send(this.#requests.signal)
    } catch (error) {
      isAnswered = error.status > 0
      throw error
    } finally {
      this.#watch.ended(request, performance.now(), isAnswered)
      this.#lookSoon()
    }
  }

  #forgetRequests() {
    this.#requests.abort()
    this.#requests = new AbortController()
    this.#watch.reset()
  }

  /** Listens to the session; `early` may have begun to. */
  #listen(early) {
    if (early?.channel) {
      this.#channel.close()
      this.#channel = early.channel
      this.#channel.listen(this.#listener)
    }
    if (!early?.channel?.isOpen) this.#channel.open(address(`${this.path}/events`))
    this.#watch.heard(performance.now())
    this.#lookSoon()
    early?.replay((name, data) => this.#heard(name, data))
  }

  get #listener() {
    return {
      hear: (name, data) => this.#heard(name, data),
      lost: () => this.#failed({ status: 0 }),
      ready: () => this.#isStillThere(),
      woken: () => {
        this.#watch.heard(performance.now())
        this.#handlers.reopened()
      },
    }
  }

  #heard(name, data) {
    this.#watch.heard(performance.now())
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
    const gone = error.status === 404 && !this.session && error.problem // the gallery, not the session
    // A proxy or a page that waited in vain for an answer would do so again: the place is opened anew, where another server
    // may have it.
    if (error.status === 504) this.#left = this.session?.id ?? this.#left
    if (error.status === 404 || error.status === 504) this.session = null
    if (error.status === 401) this.#enter('token', error)
    else if (error.status === 403) this.#enter('refused', error)
    else if (error.status === 429) this.#enter('full', error)
    else if (gone) this.#enter('gone', error)
    else this.#enter('reconnecting', error)
    this.#channel.retry(this.state !== 'reconnecting')
  }

  /** Whether the server still has the session, which knows what the page holds; without one asks for a new one. */
  async #isStillThere() {
    if (!this.session) {
      this.#open()
      return false
    }
    const run = ++this.#run
    try {
      await this.#asked((signal) => get(this.path, { signal }))
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

  /** Sees to it that somebody looks when the next answer is due. */
  #lookSoon() {
    // Whether pictures are awaited is found out by then: it takes longer than to look in vain.
    this.#lookBy(this.#watch.due(this.#channel.isOpen, true))
  }

  #lookBy(due) {
    if (due >= this.#lookAt) return
    clearTimeout(this.#timer)
    this.#lookAt = due
    this.#timer = setTimeout(() => this.#look(), Math.max(0, due - performance.now()))
  }

  #look() {
    this.#lookAt = Infinity
    const isListening = this.#channel.isOpen
    const isAwaited = isListening && this.#awaited
    const verdict = this.#watch.look(performance.now(), { isListening, isAwaited, isHidden: document.hidden })
    if (verdict === 'lost') this.#failed({ status: 504 })
    else if (verdict === 'reopen') this.#failed({ status: 0 })
    else if (verdict === 'ask') this.#guard((signal) => get(this.path, { signal }))
    this.#lookBy(this.#watch.due(this.#channel.isOpen, isAwaited))
  }
}

const pathOf = (id) => `api/v1/sessions/${encodeURIComponent(id)}`

function beacon(id) {
  navigator.sendBeacon(address(`${pathOf(id)}/close`))
}
