// What becomes of the pictures that were asked for: each that comes or fails goes to its cell, and may be asked for again.

import { Trouble } from './trouble.js'

export class Arrivals {
  /** `ask(item)` asks the server once more; `tell(trouble)` hears what is wrong with all in sight; `report()` of each change. */
  constructor({ pictures, work, grid, visible, tell, ask, report }) {
    Object.assign(this, { pictures, work, grid, visible, ask, report })
    this.trouble = new Trouble({ pictures, visible, tell, again: (items) => items.forEach((item) => this.again(item)) })
  }

  came(picture) {
    this.pictures.receive(picture)
    this.work.arrived(picture.item, this.visible())
    this.grid.arrived(picture.item)
    this.trouble.arrived()
    this.report()
  }

  failed(failure) {
    this.pictures.fail(failure)
    this.work.done(failure.item)
    this.grid.cell(failure.item)?.refresh()
    this.trouble.changed()
    this.report()
  }

  /** Nothing moves any more: what is wrong is looked at from here. */
  rested() {
    this.trouble.changed()
  }

  /** Asks again for a picture that has failed. */
  again(item) {
    if (!this.pictures.retry(item)) return
    this.grid.cell(item)?.retry()
    this.trouble.changed()
    this.ask(item)
  }
}
