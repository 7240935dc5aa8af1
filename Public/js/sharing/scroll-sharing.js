// Uses of a scroll beside scrolling: share it, follow another's, record it, play it again and race it.

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
  #race = null // once it was opened
  #choose // resolves to the gallery on show
  /** Says something where everybody sees it, for a while. */
  tell

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
    const tell = (this.tell = (text) => toast.tell(text))
    showDropTarget(byId('drop'))
    this.#player = new TracePlayer(scroller, { layout, say, notify: tell, bar: byId('playing') })
    this.#follow = new Follow(byId('follow'), scroller, {
      layout, still: () => page.isStill, say, viewer: byId('viewer'),
      view: (item) => page.lazy.viewer.get().then((viewer) => (item === null ? viewer.close() : viewer.turnTo(item)), () => {}),
    })
    offerToShare(byId('share'), byId('presenter'), () => ({ gallery: state.base, session: connection.session }), (changes) => connection.change(changes))
    offerToRecord(byId('record'), byId('save'), this.#recorder, scroller, tell)
  }

  /** Opens the race, whose code is loaded when it is first wanted; the gallery's own session ends meanwhile. */
  async openRace() {
    const { Race } = await import('../race/race.js')
    this.#race ??= new Race(byId('race'), {
      choose: this.#choose,
      recorded: () => this.#recorder.lastMinute(performance.now(), this.#scroller.top),
      left: () => this.#connection.open(),
    })
    this.#connection.close()
    await this.#race.open()
  }

  /** Plays the trace in a file that was dropped on the page. */
  play(file) {
    return this.#player.open(file)
  }

  /** A layout is on the page: positions mean something else from now on. */
  laidOut(pageLayout, { itemCount }) {
    this.#recorder.begin({ itemCount, viewport: pageLayout.viewport, layout: pageLayout.options })
    this.#follow.mirror()
  }

  /** The player that moves the page while a trace is played; null otherwise. */
  get phase() {
    return this.#player.phase
  }

  /** The person may go somewhere next. */
  foresaw(hint) {
    this.#recorder.take(performance.now(), this.#scroller.top, undefined, hint)
  }

  /** The page stands elsewhere, or has come to rest. */
  took(phase) {
    this.#recorder.take(performance.now(), this.#scroller.top, phase)
  }
}
