// Shares a scroll with followers, follows another person's scroll, and records, replays and races scrolls.

import { Toast } from '../feedback/toast.js'
import { showDropTarget } from '../trace/drop-target.js'
import { TracePlayer } from '../trace/player.js'
import { offerToRecord } from '../trace/record-button.js'
import { Recorder } from '../trace/recorder.js'
import { Follow } from './follow.js'
import { offerToShare } from './share-link.js'

const byId = (id) => document.getElementById(id)

export class ScrollSharing {
  /** @type {import('../scroll/scroller.js').Scroller} */
  #scroller
  /** @type {import('../session/connection.js').Connection} */
  #connection
  #recorder = new Recorder()
  #player
  #follow
  #race = null // null before it was opened
  #choose // requests the gallery on show and resolves to it
  /** Shows a message for a few seconds. */
  notify

  /** @param {import('../page/page.js').Page} page */
  constructor(page) {
    const { scroller, state } = page
    const { connection } = page.session
    this.#scroller = scroller
    this.#connection = connection
    const layout = () => page.pageLayout.layout
    this.#choose = async () => {
      await page.currentGallery.choose()
      return state.gallery
    }
    const say = (text) => page.say(text)
    const toast = new Toast(byId('note'), say)
    const notify = (this.notify = (text) => toast.show(text))
    showDropTarget(byId('drop'))
    this.#player = new TracePlayer(scroller, { layout, say, notify, bar: byId('playing') })
    this.#follow = new Follow(byId('follow'), scroller, {
      layout, still: () => page.isStill, say, viewer: byId('viewer'),
      view: (item) => page.lazy.viewer.get().then((viewer) => (item === null ? viewer.close() : viewer.turnTo(item)), () => {}),
    })
    const now = () => ({ gallery: state.base, session: connection.session })
    offerToShare(byId('share'), byId('presenter'), byId('share-code'), now, (changes) => connection.change(changes))
    this.listen()
    offerToRecord(byId('record'), byId('save'), this.#recorder, scroller, notify)
  }

  /** Follows the presenter in the address, if any. Call this for each new session. */
  listen() {
    const { session } = this.#connection
    if (session) this.#follow.listen(session)
  }

  /** Opens the race, and loads its code on first use. The gallery's own session ends until the person leaves the race. */
  async openRace() {
    const { Race } = await import('../race/race.js')
    this.#race ??= new Race(byId('race'), {
      choose: this.#choose,
      recorded: () => this.#recorder.lastMinute(performance.now(), this.#scroller.home),
      left: () => this.#connection.open(),
    })
    this.#connection.close()
    await this.#race.open()
  }

  /** Plays the trace in a file that was dropped on the page. */
  play(file) {
    return this.#player.open(file)
  }

  /** Called when a new layout is on the page. Starts a new recording, since positions refer to the layout. */
  laidOut(pageLayout, { itemCount }) {
    this.#recorder.begin({ itemCount, viewport: pageLayout.viewport, layout: pageLayout.options })
    this.#follow.mirror()
  }

  /** The phase of the trace that is being played; null if none is. */
  get phase() {
    return this.#player.phase
  }

  /** Records a hint where the person may go next. */
  foresaw(hint) {
    this.#recorder.take(performance.now(), this.#scroller.home, undefined, hint)
  }

  /** Records the scroll position after a movement, or when scrolling has stopped. */
  took(phase) {
    this.#recorder.take(performance.now(), this.#scroller.home, phase)
  }
}
