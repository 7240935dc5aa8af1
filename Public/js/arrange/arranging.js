// How the gallery is sorted, grouped and filtered: what a person chooses goes into the address, and the page follows it. What
// the server does not offer is disabled, with the reason.

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
  /** The server arranges this gallery. */
  isOffered = false
  #page
  #menu
  #goTo
  #search
  #filters
  /** @type {Timeline | null} Of the gallery on show, where dates lead through it. */
  #timeline = null
  #shown = PLAIN // the arrangement that was last asked for
  #run = 0 // rises with each gallery, so that late answers are dropped
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

  /** Another gallery is on show, or the same with other items. */
  begin() {
    this.#shown = this.#inAddress
    this.#progress(this.#page.state.base)
    this.#write()
    this.#search.found(this.#page.state.itemCount)
    this.#search.disable(tooMany(this.#page.state.base))
    this.#learn()
  }

  /** Learns what can be arranged, and where the months begin. */
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

  /** The destinations that a person may enter. */
  get #places() {
    const { state, pageLayout } = this.#page
    const latest = this.#goTo.reason ? undefined : state.base.taken?.to.slice(0, 7)
    return { itemCount: state.itemCount, timeline: this.#timeline, sections: pageLayout.sections, latest }
  }

  /** Changes some parts of the arrangement. */
  change(changes) {
    this.#apply(changed(this.#inAddress, changes))
  }

  /** Shows all pictures again, sorted and grouped as they are. */
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

  /** A word as it is typed: of all that it was on its way only the beginning stays in the history. */
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
      if (this.#search.reason) this.#page.tell(this.#search.reason)
      else this.#search.focus()
    } else if (event.key === 'g') {
      event.preventDefault()
      this.#goTo.open()
    }
  }
}

/** The months of a gallery that is sorted by date; null where they are not to be had now. */
async function timelineOf({ id }) {
  const answer = await get(`api/v1/galleries/${encodeURIComponent(id)}/timeline`).catch(() => null)
  return answer && new Timeline(answer)
}

/** The filters that a typed text may mean in a gallery; none where they are not to be had. */
async function suggestionsFor(text, { id }) {
  if (!(await offers('/suggestions'))) return []
  const answer = await get(`api/v1/galleries/${encodeURIComponent(id)}/suggestions?text=${encodeURIComponent(text)}`).catch(() => null)
  return answer?.suggestions ?? []
}
