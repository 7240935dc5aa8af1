// One event stream for all sessions of a page, since a browser opens only six connections to a server.

const MAXIMUM = 32 // sessions on one stream; a limit of the server

/** Stands in for the `EventSource` of one session. */
class JoinedSource extends EventTarget {
  readyState = 0
  session
  /** Id of the last event received, '' for none. */
  last
  only
  except
  #closed

  constructor(/** @type {string} */ address, closed) {
    super()
    const { pathname, searchParams } = new URL(address)
    this.session = pathname.split('/').at(-2)
    this.last = searchParams.get('lastEventID') ?? ''
    this.only = searchParams.get('only').split(',')
    this.except = searchParams.get('except') ?? ''
    this.#closed = closed
  }

  receive(name, last, data) {
    if (last) this.last = last
    this.dispatchEvent(new MessageEvent(name, { data, lastEventId: this.last }))
  }

  break(readyState) {
    this.readyState = readyState
    this.dispatchEvent(new Event('error'))
  }

  close() {
    this.readyState = 2
    this.#closed()
  }
}

export class JoinedStreams {
  #base
  /** @type {Set<JoinedSource>} */
  #sources = new Set()
  /** @type {EventSource[]} */
  #streams = []
  #isDue = false // whether reopening is scheduled

  /** `base` is the address of the server's sessions. */
  constructor(/** @type {string} */ base) {
    this.#base = base
  }

  /** Adds a session, whose own stream would be at `address`. Returns its source of events. */
  source = (/** @type {string} */ address) => {
    const source = new JoinedSource(address, () => this.#sources.delete(source) && this.#change())
    this.#sources.add(source)
    this.#change()
    return /** @type {EventSource} */ (/** @type {unknown} */ (source))
  }

  /** Reopens the streams. Calls in the same task reopen them once. */
  async #change() {
    if (this.#isDue) return
    this.#isDue = true
    await null
    this.#isDue = false
    for (const stream of this.#streams) stream.close()
    const all = [...this.#sources]
    this.#streams = []
    for (let from = 0; from < all.length; from += MAXIMUM) this.#streams.push(this.#open(all.slice(from, from + MAXIMUM)))
  }

  #open(/** @type {JoinedSource[]} */ sources) {
    const [first, ...others] = sources
    const received = sources.filter(({ last }) => last).map(({ session, last }) => `${session}.${last}`)
    const since = received.length ? `&lastEventID=${received}` : ''
    const except = first.except && `&except=${first.except}`
    const stream = new EventSource(`${this.#base}/${first.session}/events?with=${others.map(({ session }) => session)}&only=${first.only}${except}${since}`, { withCredentials: true })
    const bySession = new Map(sources.map((source) => [source.session, source]))
    for (const name of first.only) {
      stream.addEventListener(name, ({ data, lastEventId }) => {
        const [session, last] = lastEventId.split('.')
        bySession.get(session)?.receive(name, last, data)
      })
    }
    stream.addEventListener('open', () => {
      for (const source of sources) source.dispatchEvent(new Event('open'))
    })
    stream.addEventListener('error', () => {
      const { readyState } = stream
      stream.close()
      for (const source of sources) if (this.#sources.delete(source)) source.break(readyState)
    })
    return stream
  }
}
