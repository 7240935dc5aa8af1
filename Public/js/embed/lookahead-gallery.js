// The element `<lookahead-gallery>`.

const ATTRIBUTES = ['src', 'gallery', 'layout', 'size', 'policy', 'arrangement']

/**
 * A gallery of a Lookahead server in any page of an origin that the server names by `--embed-origin`:
 *
 *     <script type="module" src="https://host/embed.js"></script>
 *     <lookahead-gallery src="https://host/" gallery="holidays"></lookahead-gallery>
 *
 * Attributes, each a property of the same name, too, all changeable at any time:
 * `src` the address of the server (where it is left out, the one that this module comes from; `?token=…` at its end lets in),
 * `gallery` the id of a gallery (left out: the only one), `layout` grid (as where it is left out), justified or masonry, `size`
 * 0 (small) to 5 (large), 3 where it is left out, `policy` how the server decides what to fetch, `arrangement` how the
 * pictures are sorted, grouped and filtered, as in the address of the server's page: `sort=taken&group=month`.
 *
 * Events, which bubble and leave shadow trees:
 * - `itemopen`: a person opens a picture. `detail` is a `Picture` of `embedded-gallery.js`. Cancelable: then nothing opens.
 * - `visiblechange`: other items are in sight. `detail` is `{from: number, to: number}`, meaning from ..< to.
 * - `selectionchange`: what is selected has changed. `detail` is `{count: number, ranges: {from: number, to: number}[]}`.
 *
 * Styles: height and width are the page's to set; colours are custom properties of `css/theme.css`, set on the element
 * (`--ground`, `--text`, `--accent`, `--waiting`, `--radius`, …); the parts are `stage`, `scroller`, `cell`, `title`,
 * `stuck`, `scrubber`, `selected`, `notice`, `note`, `viewer` and `print`.
 */
export class LookaheadGallery extends HTMLElement {
  static observedAttributes = ATTRIBUTES
  /** @type {import('./embedded-gallery.js').EmbeddedGallery | null} */
  #gallery = null
  #ending = new AbortController()
  #isDue = false // to be opened anew

  constructor() {
    super()
    this.attachShadow({ mode: 'open' })
  }

  connectedCallback() {
    this.#renew()
  }

  disconnectedCallback() {
    // One that is only moved is in the page again by then.
    queueMicrotask(() => !this.isConnected && this.#end())
  }

  attributeChangedCallback(name, before, after) {
    if (before === after || !this.isConnected) return
    if (name === 'src') this.#renew()
    else this.#gallery?.change(name)
  }

  /**
   * Scrolls to an item. Resolves when it is in sight.
   * @param {number} item Its number in the gallery, from 0.
   * @param {{behavior?: ScrollBehavior}} options
   */
  async scrollToItem(item, options = {}) {
    await this.#gallery?.scrollTo(item, options.behavior)
  }

  /** Asks for the gallery anew, as it is now. */
  reload() {
    if (this.#gallery) this.#gallery.reload()
    else this.#renew()
  }

  /**
   * Gives the focus to the picture that had it last.
   * @override
   */
  focus(options) {
    if (this.#gallery?.pageLayout.layout) this.#gallery.keyboard.focus(this.#gallery.keyboard.active)
    else super.focus(options)
  }

  /** Opens the gallery, once for all changes of this moment. */
  async #renew() {
    if (this.#isDue) return
    this.#isDue = true
    await null
    this.#isDue = false
    if (this.#gallery && !this.#ending.signal.aborted && this.#openedFrom === this.#server) return // it was only moved
    this.#end()
    if (!this.isConnected) return
    const { signal } = (this.#ending = new AbortController())
    const server = (this.#openedFrom = this.#server)
    try {
      // The code of the server whose gallery it is: each speaks to itself.
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

  /** The address of the server, without what a person may have been given to get in. */
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
    const tell = (name, detail, cancelable = false) => this.dispatchEvent(new CustomEvent(name, { detail, cancelable, bubbles: true, composed: true }))
    return {
      wishes: () => Object.fromEntries(ATTRIBUTES.map((name) => [name, this.getAttribute(name)])),
      opens: (picture) => tell('itemopen', picture, true),
      sees: (range) => tell('visiblechange', range),
      selects: (ranges) => tell('selectionchange', { count: ranges.reduce((sum, { from, to }) => sum + to - from, 0), ranges: ranges.map((range) => ({ ...range })) }),
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

// Another server's module may have been there first: either shows the galleries of both.
if (!customElements.get('lookahead-gallery')) customElements.define('lookahead-gallery', LookaheadGallery)
