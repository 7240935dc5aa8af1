// Shows a notice for each state of the page that needs an explanation. The notice names the problem and the next step.

const PATIENCE = 600 // ms after which a lost connection is shown

const texts = {
  reconnecting: ['Connection lost, reconnecting', 'The server isn’t responding. Pictures load when it’s back.'],
  full: ['This server is full', 'Too many people are using it. Retrying automatically.'],
  gone: ['Gallery not found', 'It may have been removed. If it comes back, it appears automatically.'],
  token: ['Enter the access token', 'Ask the person who runs this gallery.'],
  refused: ['The server doesn’t know this address', ''],
  empty: ['No pictures here yet', 'Supported: JPEG, PNG, WebP, GIF, HEIC, AVIF, JPEG XL, TIFF, BMP and RAW. New files appear automatically.'],
  nothingFound: ['Nothing found', 'No pictures match this filter.'],
  failing: ['Pictures can’t be loaded', ''],
  slow: ['Pictures are loading slowly', 'The source is responding slowly. Pictures appear as they arrive.'],
}

/** States that leave the pictures visible: their notice is at the bottom of the page. */
const gentle = new Set(['reconnecting', 'failing', 'slow'])

export class PageNotice {
  #element
  #heading
  #text
  #form
  #link // the link to all galleries, if this one is not found
  #all // the button that removes the filter
  #retry
  #state = null // of the connection, if it needs a notice
  /** @type {{kind: string, detail: string} | null} the reason why no picture is shown, if so */
  #empty = null
  #trouble = null // why pictures cannot be loaded, or load slowly
  #timer = 0
  #said = '' // the current text
  #say

  /**
   * `enter(token)` receives the token that a person enters. `say(text)` announces a text to screen readers. `unfilter()` removes the
   * filter; omit it if nothing can be filtered. `retry()` is called by the button Retry.
   */
  constructor(element, { enter, say, retry, unfilter = undefined }) {
    this.#say = say
    this.#element = element
    this.#heading = element.querySelector('h2')
    this.#text = element.querySelector('p')
    this.#form = element.querySelector('form')
    this.#link = element.querySelector('a')
    this.#all = unfilter && element.querySelector('[data-part="all"]')
    this.#retry = element.querySelector('[data-part="retry"]')
    this.#retry.addEventListener('click', retry)
    this.#all?.addEventListener('click', unfilter)
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      enter(this.#form.elements.token.value.trim())
    })
  }

  /** Shows the state of the connection. `error` may contain the server's problem document. */
  connection(state, error) {
    if (state === 'reconnecting' && this.#timer) return // each failed try reports the state again
    clearTimeout(this.#timer)
    this.#timer = 0
    if (state === 'closed' || state === 'connecting' || state === 'live') this.#state = null
    else if (state === 'reconnecting' && !this.#state) {
      this.#timer = setTimeout(() => {
        this.#timer = 0
        this.#state = { kind: state }
        this.#show()
      }, PATIENCE)
    } else this.#state = { kind: state, detail: state === 'token' ? '' : error?.problem?.detail }
    this.#show()
  }

  /** Shows why there are no pictures, `{kind, detail}`; null if there are some. */
  empty(reason) {
    this.#empty = reason
    this.#show()
  }

  /** Shows a problem with loading pictures: `{kind, detail, canRetry}`, or null. */
  thumbnails(trouble) {
    if (trouble?.kind === this.#trouble?.kind && trouble?.detail === this.#trouble?.detail) return
    this.#trouble = trouble
    this.#show()
  }

  #show() {
    const shown = this.#state ?? this.#empty ?? this.#trouble
    this.#element.hidden = !shown
    if (!shown) {
      this.#said = ''
      return
    }
    const [heading, text] = texts[shown.kind]
    const words = `${heading}. ${shown.detail || text}`
    if (words !== this.#said) this.#say((this.#said = words))
    this.#element.dataset.kind = shown.kind
    this.#element.toggleAttribute('data-gentle', gentle.has(shown.kind))
    this.#heading.textContent = heading
    this.#text.textContent = shown.detail || text
    this.#form.hidden = shown.kind !== 'token'
    this.#link.hidden = shown.kind !== 'gone'
    this.#retry.hidden = !shown.canRetry
    if (this.#all) this.#all.hidden = shown.kind !== 'nothingFound'
  }
}
