// Sorts, groups and filters the gallery. The person's choice is written to the address, and the page shows the arrangement in the
// address. Controls that the server does not support are disabled and show the reason.

import { disable, tooMany } from '../boot.js'
import { parameter, setParameters } from '../page/address-bar.js'
import { get } from '../session/api.js'
import { offers } from '../session/offers.js'
import { arrangementIn, changed, isByDate, isSame, parametersOf, PLAIN } from './arrangement.js'
import { Filters } from './filters.js'
import { GoTo } from './go-to.js'
import { showIndexProgress } from './index-progress.js'
import { ArrangementMenu } from './menu.js'
import { SearchField } from './search-field.js'
import { filterOf } from './suggestions.js'
import { Timeline } from './timeline.js'

const byId = (id) => document.getElementById(id)

export class Arranging {
  /** Whether the server can arrange this gallery. */
  isOffered = false
  #page
  #menu
  #goTo
  #search
  #filters
  /** @type {Timeline | null} Months of the current gallery, or null if it is not sorted by date. */
  #timeline = null
  #shown = PLAIN // the last requested arrangement
  #run = 0 // increases with each gallery, so that late responses are dropped
  #progress

  /** @param {import('../page/page.js').Page} page */
  constructor(page) {
    this.#page = page
    this.#menu = new ArrangementMenu(byId('arrange'), byId('arrange-open'), {
      changed: (changes) => this.change(changes),
      plain: () => this.#apply(PLAIN),
    })
    this.#goTo = new GoTo(page, byId('go'), byId('go-open'), () => this.#places)
    this.#search = new SearchField(byId('search'), {
      search: (text) => this.#searched(text),
      suggest: (text) => suggestionsFor(text, page.state.base),
      choose: (suggestion) => this.change({ filter: { text: undefined, ...filterOf(suggestion) } }),
    })
    this.#filters = new Filters(byId('filters'), (name) => this.change({ filter: { [name]: undefined } }))
    this.#progress = showIndexProgress(byId('dated'), () => this.#learn())
    addEventListener('popstate', () => (isSame(this.#inAddress, this.#shown) ? this.#goTo.popped() : this.#open(this.#inAddress)))
    addEventListener('keydown', (event) => this.#keyDown(event))
    if (page.state.gallery) this.begin()
  }

  /** Called when the page shows another gallery, or other items of the same one. */
  begin() {
    this.#shown = this.#inAddress
    this.#progress(this.#page.state.base)
    this.#write()
    this.#search.found(this.#page.state.itemCount)
    this.#search.disable(tooMany(this.#page.state.base))
    this.#learn()
  }

  /** Requests whether the gallery can be arranged, and where its months begin. */
  async #learn() {
    const { gallery, base } = this.#page.state
    const run = ++this.#run
    const [isOffered, timeline] = await Promise.all([offers('/timeline'), isByDate(gallery.arrangement) ? timelineOf(gallery) : null])
    if (run !== this.#run) return
    const reason = tooMany(base) || (isOffered ? '' : 'This server cannot search, sort or group.')
    this.isOffered = !reason
    this.#search.disable(reason)
    for (const id of ['arrange-open', 'go-open']) disable(byId(id), '')
    this.#menu.offer({ reason, hasDates: base.taken !== undefined || base.index === undefined, hasRatings: base.source === 'folder', isList: base.source === 'list' })
    this.#timeline = timeline
    this.#goTo.reason = reason || (base.taken === undefined ? 'No picture here has a date that is known.' : '')
    this.#page.scrubber.setTimeline(timeline)
  }

  /** The destinations that a person can enter in the `Go to` box. */
  get #places() {
    const { state, pageLayout } = this.#page
    const latest = this.#goTo.reason ? undefined : state.base.taken?.to.slice(0, 7)
    return { itemCount: state.itemCount, timeline: this.#timeline, sections: pageLayout.sections, latest }
  }

  change(changes) {
    this.#apply(changed(this.#inAddress, changes))
  }

  /** Removes the filter; the order and the grouping stay. */
  unfilter() {
    this.#apply({ ...this.#inAddress, filter: {} })
  }

  get #inAddress() {
    return arrangementIn(new URLSearchParams(location.search))
  }

  #apply(arrangement) {
    if (isSame(arrangement, this.#inAddress)) return
    setParameters({ ...parametersOf(arrangement, this.#page.state.base), item: null, view: null }, { push: true, state: {} })
    this.#open(arrangement)
  }

  /** Searches for a text while the person types. Only the first key adds an entry to the history. Later keys replace it. */
  #searched(text) {
    const now = this.#inAddress
    const next = changed(now, { filter: { text } })
    if (isSame(next, now)) return
    setParameters({ ...parametersOf(next, this.#page.state.base), item: null, view: null }, { push: !now.filter.text, state: {} })
    this.#open(next)
  }

  #open(arrangement) {
    this.#page.choice.chosen()
    this.#goTo.left()
    this.#shown = arrangement
    this.#write()
    this.#page.lazy.viewer.now?.close()
    this.#page.session.connection.open()
  }

  #write() {
    this.#menu.show(this.#shown)
    this.#search.show(this.#shown.filter.text ?? '')
    this.#filters.show(this.#shown)
    document.documentElement.toggleAttribute('data-filtered', Object.keys(this.#shown.filter).length > 0)
  }

  #keyDown(event) {
    const isField = event.target.closest?.('input:not([type=radio], [type=range], [type=checkbox]), select, dialog')
    if (isField || event.ctrlKey || event.metaKey || event.altKey || parameter('race') !== null) return
    if (event.key === '/') {
      event.preventDefault()
      if (this.#search.reason) this.#page.notify(this.#search.reason)
      else this.#search.focus()
    } else if (event.key === 'g') {
      event.preventDefault()
      this.#goTo.open()
    }
  }
}

/** Resolves to the months of a gallery sorted by date, or null if the request fails. */
async function timelineOf({ id }) {
  const response = await get(`api/v1/galleries/${encodeURIComponent(id)}/timeline`).catch(() => null)
  return response && new Timeline(response)
}

/** Resolves to the filters that a typed text may mean in a gallery; empty if the server has none or the request fails. */
async function suggestionsFor(text, { id }) {
  if (!(await offers('/suggestions'))) return []
  const response = await get(`api/v1/galleries/${encodeURIComponent(id)}/suggestions?text=${encodeURIComponent(text)}`).catch(() => null)
  return response?.suggestions ?? []
}
