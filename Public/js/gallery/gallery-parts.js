// The parts of a gallery that the first screen does not need. Each is loaded on first use.

import { LazyPart } from '../page/lazy-part.js'

export class GalleryParts {
  viewer = new LazyPart(async () => {
    const { Viewer } = await import('../viewer/viewer.js')
    const { state, keyboard, session, narrow, find } = this.view
    const viewer = new Viewer(find('viewer'), {
      thumbnails: state.thumbnails,
      placeholders: state.placeholders,
      path: state.path,
      identity: (item) => state.identity(item),
      notify: (text) => this.view.notify(text),
      say: (text) => this.view.say(text),
      closed: (item) => {
        keyboard.returned(item, this.view.visible)
        session.view(null)
        return this.view.grid.cell(item)?.element
      },
      shown: (item, direction) => {
        this.hints.now?.viewing(item, direction, state.itemCount)
        session.view(item)
      },
      narrow,
      signal: this.view.ended,
      history: this.history,
    })
    if (state.gallery) viewer.begin(state.gallery, state.items)
    return viewer
  })
  hints = new LazyPart(async () => {
    const { Hints } = await import('../scroll/hints.js')
    const { scroller, scrubber, surface, root } = this.view
    return new Hints({ scroller, scrubber, surface, root, send: (hint) => scroller.isAway || this.view.hinted(hint) })
  })
  selection = new LazyPart(async () => {
    const { Selection } = await import('../select/selection.js')
    return new Selection(this.view)
  })
  view
  /** Stores which picture is open in the viewer. By default the page's address does. */
  history

  /**
   * @param {import('./gallery-view.js').GalleryView} view
   * @param {import('../viewer/viewer-history.js').ViewerHistory} [history]
   */
  constructor(view, history) {
    this.view = view
    this.history = history
  }
}
