// States of the whole page that are not pictures, each with its own words: what is wrong, and what happens next.

const PATIENCE = 600 // ms a lost connection may take before it is worth a word

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

/** Those that leave the pictures in sight stand at the foot of the page. */
const gentle = new Set(['reconnecting', 'failing', 'slow'])

export class PageNotice {
  #element
  #heading
  #text
  #form
  #way // out of a gallery that is not here
  #all // a button that takes the filter away
  #retry
  #state = null // of the connection, where it is worth a word
  /** @type {{kind: string, detail: string} | null} where the gallery holds nothing */
  #empty = null
  #trouble = null // what is wrong with the pictures
  #timer = 0
  #said = '' // the words on show
  #say

  /**
   * `enter(token)` is called with the token that a person gives, `say(words)` with what is to be heard, `unfilter()` where all
   * pictures are wanted again; it is left out where nothing can be filtered. `retry()` is called by the button Retry.
   */
  constructor(element, { enter, say, retry, unfilter = undefined }) {
    this.#say = say
    this.#element = element
    this.#heading = element.querySelector('h2')
    this.#text = element.querySelector('p')
    this.#form = element.querySelector('form')
    this.#way = element.querySelector('a')
    this.#all = unfilter && element.querySelector('[data-part="all"]')
    this.#retry = element.querySelector('[data-part="retry"]')
    this.#retry.addEventListener('click', retry)
    this.#all?.addEventListener('click', unfilter)
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      enter(this.#form.elements.token.value.trim())
    })
  }

  /** `error` may carry the server's own words. */
  connection(state, error) {
    if (state === 'reconnecting' && this.#timer) return // each try that fails says so again
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

  /** Why there is nothing to see, `{kind, detail}`; null where there is. */
  empty(reason) {
    this.#empty = reason
    this.#show()
  }

  /** The trouble with the pictures: `{kind, detail, canRetry}`, or null. */
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
    this.#way.hidden = shown.kind !== 'gone'
    this.#retry.hidden = !shown.canRetry
    if (this.#all) this.#all.hidden = shown.kind !== 'nothingFound'
  }
}
