// Those who follow, and those who are followed; and the scroll as something to keep, to play again and to race.

import { showDropTarget } from './feedback/drop-target.js'
import { Note } from './feedback/note.js'
import { Follow } from './follow.js'
import { offerRace } from './race/offer.js'
import { Recorder } from './recorder.js'
import { offerToRecord, offerToShare } from './sharing.js'
import { TracePlayer } from './trace.js'

const byId = (id) => document.getElementById(id)

export class Company {
  /** `layout()` and `gallery()` are the page's now; `still()`: the person wants no motion; `say(text)` speaks politely. */
  constructor({ scroller, connection, layout, gallery, still, say }) {
    Object.assign(this, { scroller, connection })
    this.recorder = new Recorder()
    const note = new Note(byId('note'), say)
    const tell = (text) => note.tell(text)
    showDropTarget(byId('drop'))
    this.player = new TracePlayer(scroller, { layout, say, tell, bar: byId('playing') })
    new Follow(byId('follow'), scroller, { layout, still, say })
    offerToShare(byId('share'), byId('presenter'), () => ({ gallery: gallery(), session: connection.session }), (changes) => connection.change(changes))
    offerToRecord(byId('record'), byId('save'), this.recorder, scroller, tell)
    this.race = offerRace(byId('race'), {
      recorded: () => this.recorder.lastMinute(performance.now(), scroller.top),
      opening: () => connection.close(),
      left: () => connection.open(),
    })
  }

  /** A layout is on the page: positions mean something else from now on. */
  laidOut(shape, { itemCount }) {
    this.recorder.begin({ itemCount, viewport: shape.viewport, layout: shape.options })
  }

  /** What moves the page while a trace is played; null otherwise. */
  get phase() {
    return this.player.phase
  }

  /** The person may go somewhere next. */
  foresaw(hint) {
    this.recorder.take(performance.now(), this.scroller.top, undefined, hint)
  }

  /** The page stands elsewhere, or has come to rest. */
  took(phase) {
    this.recorder.take(performance.now(), this.scroller.top, phase)
  }
}
