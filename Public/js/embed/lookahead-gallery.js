
const ATTRIBUTES = ['src', 'gallery', 'layout', 'size', 'policy', 'arrangement']

/**
 * The element `<lookahead-gallery>`: a gallery of a Lookahead server in a page of another origin. The server has to allow that origin
 * with `--embed-origin`.
 *
 *     <script type="module" src="https://host/embed.js"></script>
 *     <lookahead-gallery src="https://host/" gallery="holidays"></lookahead-gallery>
 *
 * Attributes. Each is also a property, and can change at any time:
 * - `src`: address of the server; by default the server of this module. May end with an access token: `?token=…`.
 * - `gallery`: id of a gallery; by default the server's only one.
 * - `layout`: grid (default), justified or masonry.
 * - `size`: 0 (small) to 5 (large); 3 by default.
 * - `policy`: how the server decides which pictures to fetch.
 * - `arrangement`: how the pictures are sorted, grouped and filtered, as in the address of the server's page: `sort=taken&group=month`.
 *
 * Events. All bubble and cross shadow tree boundaries:
 * - `itemopen`: a person opens a picture. `detail` is a `Picture` of `embedded-gallery.js`. If cancelled, the viewer does not open.
 * - `visiblechange`: the visible items have changed. `detail` is `{from: number, to: number}`, meaning from ..< to.
 * - `selectionchange`: the selection has changed. `detail` is `{count: number, ranges: {from: number, to: number}[]}`.
 *
 * Styles: the host page sets width and height. Colours are the custom properties of `css/theme.css`, set on the element (`--ground`,
 * `--text`, `--accent`, `--waiting`, `--radius`, …). The parts are `stage`, `scroller`, `cell`, `title`, `stuck`, `scrubber`,
 * `selected`, `notice`, `note`, `viewer` and `print`.
 */
export class LookaheadGallery extends HTMLElement {
  static observedAttributes = ATTRIBUTES
  /** @type {import('./embedded-gallery.js').EmbeddedGallery | null} */
  #gallery = null
  #ending = new AbortController()
  #isDue = false // whether reopening is scheduled

  constructor() {
    super()
    this.attachShadow({ mode: 'open' })
  }

  connectedCallback() {
    this.#renew()
  }

  disconnectedCallback() {
    // If the page only moves the element, it is connected again when the microtask runs.
    queueMicrotask(() => !this.isConnected && this.#end())
  }

  attributeChangedCallback(name, before, after) {
    if (before === after || !this.isConnected) return
    if (name === 'src') this.#renew()
    else this.#gallery?.change(name)
  }

  /**
   * Scrolls to an item. Resolves when the item is visible.
   * @param {number} item Index in the gallery, from 0.
   * @param {{behavior?: ScrollBehavior}} options
   */
  async scrollToItem(item, options = {}) {
    await this.#gallery?.scrollTo(item, options.behavior)
  }

  /** Requests the gallery again, to show its current state. */
  reload() {
    if (this.#gallery) this.#gallery.reload()
    else this.#renew()
  }

  /**
   * Moves the focus to the picture that had it last.
   * @override
   */
  focus(options) {
    if (this.#gallery?.pageLayout.layout) this.#gallery.keyboard.focus(this.#gallery.keyboard.active)
    else super.focus(options)
  }

  /** Opens the gallery. Calls in the same task open it once. */
  async #renew() {
    if (this.#isDue) return
    this.#isDue = true
    await null
    this.#isDue = false
    if (this.#gallery && !this.#ending.signal.aborted && this.#openedFrom === this.#server) return // the element was only moved
    this.#end()
    if (!this.isConnected) return
    const { signal } = (this.#ending = new AbortController())
    const server = (this.#openedFrom = this.#server)
    try {
      // Each server's gallery runs the code of that server, so that code and API match.
      const { EmbeddedGallery, enter } = await import(new URL('embed.js', server).href)
      const token = new URL(this.getAttribute('src') ?? '', location.href).searchParams.get('token')
      if (token && !signal.aborted) await enter(token)
      if (signal.aborted) return
      const gallery = await EmbeddedGallery.open(this.shadowRoot, this.#hooks, signal)
      if (!signal.aborted) this.#gallery = gallery
    } catch (error) {
      if (signal.aborted) return
      console.warn('Lookahead:', error)
      this.shadowRoot.textContent = `The gallery at ${server} can’t be shown here. The server must be running, with --embed-origin ${location.origin}.`
    }
  }

  #openedFrom = ''

  /** Address of the server, without the token in its query. */
  get #server() {
    const src = this.getAttribute('src')
    if (src === null) return new URL('../../', import.meta.url.replace(/assets\/[^/]+\//, '')).href
    const { origin, pathname } = new URL(src, location.href)
    return origin + pathname
  }

  #end() {
    this.#ending.abort()
    this.#gallery = null
    this.shadowRoot.replaceChildren()
  }

  get #hooks() {
    const dispatch = (name, detail, cancelable = false) => this.dispatchEvent(new CustomEvent(name, { detail, cancelable, bubbles: true, composed: true }))
    return {
      wishes: () => Object.fromEntries(ATTRIBUTES.map((name) => [name, this.getAttribute(name)])),
      opens: (picture) => dispatch('itemopen', picture, true),
      sees: (range) => dispatch('visiblechange', range),
      selects: (ranges) => dispatch('selectionchange', { count: ranges.reduce((sum, { from, to }) => sum + to - from, 0), ranges: ranges.map((range) => ({ ...range })) }),
    }
  }
}

for (const name of ATTRIBUTES) {
  Object.defineProperty(LookaheadGallery.prototype, name, {
    get() {
      return this.getAttribute(name) ?? ''
    },
    set(value) {
      if (value === null || value === undefined) this.removeAttribute(name)
      else this.setAttribute(name, value)
    },
    configurable: true,
    enumerable: true,
  })
}

// A module of another server may have defined the element already. Either module shows galleries of both servers.
if (!customElements.get('lookahead-gallery')) customElements.define('lookahead-gallery', LookaheadGallery)
