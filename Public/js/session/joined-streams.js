// One stream of events for all the sessions of a page: a browser opens only six to a server.

const MOST = 32 // sessions on one stream, as the server takes them

/** Acts as an `EventSource` for one session of several. */
class JoinedSource extends EventTarget {
  readyState = 0
  session
  /** The last event heard, '' for none. */
  last
  only
  #closed

  constructor(/** @type {string} */ address, closed) {
    super()
    const { pathname, searchParams } = new URL(address)
    this.session = pathname.split('/').at(-2)
    this.last = searchParams.get('lastEventID') ?? ''
    this.only = searchParams.get('only').split(',')
    this.#closed = closed
  }

  hear(name, last, data) {
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
  #isDue = false // another set of sessions is to be listened to

  /** `base` is the address of the server's sessions. */
  constructor(/** @type {string} */ base) {
    this.#base = base
  }

  /** Listens to one more session, whose own stream would be at `address`. */
  source = (/** @type {string} */ address) => {
    const source = new JoinedSource(address, () => this.#sources.delete(source) && this.#change())
    this.#sources.add(source)
    this.#change()
    return /** @type {EventSource} */ (/** @type {unknown} */ (source))
  }

  /** Opens the streams anew, once for all changes of this moment. */
  async #change() {
    if (this.#isDue) return
    this.#isDue = true
    await null
    this.#isDue = false
    for (const stream of this.#streams) stream.close()
    const all = [...this.#sources]
    this.#streams = []
    for (let from = 0; from < all.length; from += MOST) this.#streams.push(this.#open(all.slice(from, from + MOST)))
  }

  #open(/** @type {JoinedSource[]} */ sources) {
    const [first, ...others] = sources
    const heard = sources.filter(({ last }) => last).map(({ session, last }) => `${session}.${last}`)
    const since = heard.length ? `&lastEventID=${heard}` : ''
    const stream = new EventSource(`${this.#base}/${first.session}/events?with=${others.map(({ session }) => session)}&only=${first.only}${since}`, { withCredentials: true })
    const bySession = new Map(sources.map((source) => [source.session, source]))
    for (const name of first.only) {
      stream.addEventListener(name, ({ data, lastEventId }) => {
        const [session, last] = lastEventId.split('.')
        bySession.get(session)?.hear(name, last, data)
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
