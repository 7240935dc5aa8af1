// Questions of the tests to the page's session: its connection, its downloads, its notices, and the people who follow it.

const sessionProbe = {
  page: /** @type {any} */ (window),

  get connection() {
    return document.documentElement.dataset.connection
  },

  get notice() {
    return document.getElementById('notice')
  },

  /** Whether the page shows a notice of a kind. @param {string} kind */
  hasNotice: (kind) => !sessionProbe.notice.hidden && sessionProbe.notice.dataset.kind === kind,

  /** Whether the page is connected and shows no notice. */
  isCalm: () => sessionProbe.notice.hidden && sessionProbe.connection === 'live',

  /** Whether there are more than `count` cells in view, all with their thumbnails. */
  isReady(count = 0) {
    const cells = probe.visible()
    return cells.length > count && cells.every((cell) => cell.dataset.state === 'ready')
  },

  /** Whether all cells in view have a picture. */
  isFull() {
    const cells = probe.visible()
    return cells.length > 0 && cells.every(probe.hasPicture)
  },

  /** Whether the page is connected in another session, and shows its pictures. @param {string} session the former one */
  hasMoved: (session) =>
    document.documentElement.dataset.session !== session && sessionProbe.connection === 'live' && sessionProbe.isFull(),

  /** Returns the names and places of the pictures in view. */
  places: () =>
    probe.visible().map((cell) => {
      const { top, left } = cell.getBoundingClientRect()
      return `${probe.name(cell)} ${Math.round(top)} ${Math.round(left)}`
    }),

  /** Returns colours and sizes that the page shares with the form for the token. */
  appearance() {
    const style = (/** @type {string} */ selector, /** @type {string[]} */ ...names) => {
      const computed = getComputedStyle(document.querySelector(selector))
      return names.map((name) => computed[name])
    }
    return [
      ...style(':root', 'color', 'backgroundColor', 'fontSize'),
      ...style('h1', 'fontSize', 'fontWeight'),
      ...style('svg', 'fill'),
      ...style('form button, #race-open', 'color', 'backgroundColor', 'borderColor', 'borderRadius', 'fontWeight'),
    ]
  },

  // MARK: Downloads

  /** Returns how many requests of a kind the demo's origin has counted. @param {string} name @returns {Promise<number>} */
  count: async (name) => (await probe.get('/api/v1/demo/origin')).counts[name],

  /** Returns the number of open streams of the server. @returns {Promise<number>} */
  streams: async () => (await probe.get('/api/v1/stats')).streams[0].value,

  /** Scrolls to a place. Waits until the origin has been asked for pictures there. @param {number} top in pixels */
  async scrollUntilRequested(top) {
    const start = await sessionProbe.count('requests')
    probe.scroller.scrollTop = top
    await probe.until(async () => (await sessionProbe.count('requests')) > start, 'downloads in flight')
  },

  /**
   * Waits until the origin and the page's session have no downloads in flight, and nothing has changed for half a second, because
   * the page reports its place with a delay.
   */
  async quiet() {
    let [since, requests] = [performance.now(), -1]
    await probe.until(async () => {
      const { counts } = await probe.get('/api/v1/demo/origin')
      const { session } = document.documentElement.dataset
      const ours = session ? (await probe.get(`/api/v1/sessions/${session}`)).counts : {}
      const isBusy = counts.requests > counts.completed + counts.aborted + counts.failed || ours.queued || ours.loading
      if (isBusy || counts.requests !== requests) {
        since = performance.now()
        requests = counts.requests
      }
      return performance.now() - since > 500
    }, 'a quiet origin')
  },

  /** Returns the event after which the last stream resumed, and how many pictures arrived, and arrived twice. */
  resumption() {
    const { streams, items } = sessionProbe.page.heard
    return {
      since: Number(new URL(streams.at(-1)).searchParams.get('lastEventID')),
      twice: items.length - new Set(items).size,
      items: items.length,
    }
  },

  // MARK: Lost servers

  /** Calls `note` before each request of the page from now on. @param {(url: string, options?: RequestInit) => void} note */
  watchRequests(note) {
    const { fetch } = window
    window.fetch = (url, options) => {
      note(String(url), options)
      return fetch(url, options)
    }
  },

  /** Records in `page.bodies` the bodies of requests, and presses Retry. */
  retry() {
    const bodies = (sessionProbe.page.bodies = [])
    sessionProbe.watchRequests((_, options) => bodies.push(String(options?.body)))
    const button = /** @type {HTMLElement} */ (sessionProbe.notice.querySelector('[data-part="retry"]'))
    button.click()
  },

  /** Scrolls in each frame from now on. Records in `page.tries` when the page requests its session. */
  scrollOn() {
    const { page } = sessionProbe
    page.tries = []
    sessionProbe.watchRequests((url) => {
      if (/\/sessions\/[^/]+$/.test(url)) page.tries.push(performance.now())
    })
    const scroll = () => {
      probe.scroller.scrollTop += 20
      page.scrolling = requestAnimationFrame(scroll)
    }
    scroll()
  },

  /** Returns the shortest time between two tries, in milliseconds. */
  shortestPause() {
    /** @type {number[]} */
    const tries = sessionProbe.page.tries
    return Math.min(...tries.slice(1).map((time, index) => time - tries[index]))
  },

  /**
   * Loses posts that report an unchanged place, from now on, and counts them in `page.lost`. A worker sends the page's posts. The
   * page takes a lost post for answered, so that it does not open another session.
   */
  losePosts() {
    const { page } = sessionProbe
    Object.assign(page, { lost: 0, last: 0, plan: null })
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any[]} */ ...more) {
      if (!/\/viewport$/.test(message.path)) return postMessage.call(this, message, ...more)
      if (!page.plan) this.addEventListener('message', ({ data }) => (page.plan = data.response ?? page.plan))
      if (message.body.scrollTop !== page.last || !page.plan) {
        page.last = message.body.scrollTop
        return postMessage.call(this, message, ...more)
      }
      page.lost += 1
      setTimeout(() => this.onmessage(/** @type {any} */ ({ data: { number: message.number, answer: page.plan } })))
    }
  },

  /** Flings at 6,000 px a second until a finger stops the scroll. */
  async fling() {
    for (const type of ['touchstart', 'touchend']) probe.scroller.dispatchEvent(new TouchEvent(type, { touches: [] }))
    const began = performance.now()
    while (performance.now() < began + 500) {
      probe.scroller.scrollTop = 6 * (performance.now() - began)
      await probe.frame()
    }
  },

  /** Returns the viewer's message about a lost connection, or '' if it is hidden. */
  offlineMessage() {
    const message = /** @type {any} */ (document.querySelector('#viewer .offline'))
    return message.checkVisibility({ visibilityProperty: true }) ? message.innerText : ''
  },

  /** Records in `page.heard` the requests and the notices of the page from now on. */
  recordRequestsAndNotices() {
    const heard = (sessionProbe.page.heard = { asked: [], said: [] })
    sessionProbe.watchRequests((url, options) =>
      heard.asked.push(`${options?.method ?? 'GET'} ${new URL(url, location.href).pathname}`)
    )
    const { notice } = sessionProbe
    new MutationObserver(() => notice.hidden || heard.said.push(notice.dataset.kind)).observe(notice, { attributes: true })
  },

  /** Returns the recorded requests that open a session, or read a session or a gallery. */
  openingRequests: () =>
    sessionProbe.page.heard.asked.filter((/** @type {string} */ call) =>
      /^POST .*\/sessions$|^GET .*\/(sessions|galleries)\/[^/]+$/.test(call)
    ),

  /** Counts in `page.seen` the frames from now on in which a picture is missing or the page has scrolled. */
  watchFrames() {
    const top = probe.scroller.scrollTop
    const seen = (sessionProbe.page.seen = { blank: 0, moved: 0 })
    const look = () => {
      if (!probe.visible().every(probe.hasPicture)) seen.blank += 1
      if (probe.scroller.scrollTop !== top) seen.moved += 1
      requestAnimationFrame(look)
    }
    look()
  },

  // MARK: Following

  /** Gives the presenter a name. @param {string} name */
  present(name) {
    const field = /** @type {HTMLInputElement} */ (document.getElementById('presenter'))
    field.value = name
    field.dispatchEvent(new Event('change'))
  },

  /** Returns the link that a button copies. A headless browser may have no clipboard. */
  copiedLink(button = document.getElementById('share')) {
    let link = ''
    const writeText = async (/** @type {string} */ text) => {
      link = text
    }
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    button.click()
    return probe.until(() => link, 'the link')
  },

  /** Whether the Share panel shows a code as wide as the panel allows, inside the window. */
  showsCode() {
    const code = document.getElementById('share-code')
    const { left, right, width, height } = code.getBoundingClientRect()
    const isDrawn = (code.querySelector('path').getAttribute('d') ?? '').length > 1000
    return isDrawn && left >= 0 && right <= innerWidth && width > 200 && Math.abs(width - height) < 1
  },

  /** Whether the viewer is open at an item. @param {number} item */
  views: (item) =>
    /** @type {HTMLDialogElement} */ (document.getElementById('viewer')).open &&
    new URLSearchParams(location.search).get('view') === String(item),

  /** Whether the page says who watches. @param {string} text */
  isWatched: (text) => document.querySelector('#watched:not([hidden])')?.textContent === text,

  /** Whether the bar about the presenter contains a text. @param {string} text */
  says: (text) => document.getElementById('follow').textContent.includes(text),

  /** Returns the followers' dots on the rail: height in the window, whether prefetching is off, and whether the dot is in the window. */
  dots: () =>
    [...document.querySelectorAll('#scrubber [data-part="dots"] i')].map((dot) => {
      const { top, left, right, width } = dot.getBoundingClientRect()
      return { top, isHollow: dot.hasAttribute('data-off'), isShown: width > 0 && left >= 0 && right <= innerWidth }
    }),

  /** Presses the button that returns to the presenter. */
  followAgain: () => /** @type {HTMLElement} */ (document.querySelector('#follow button')).click(),
}
