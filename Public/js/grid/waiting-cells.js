// A sign of work in cells that have waited a while for their picture.

const PATIENCE = 400 // ms a cell in sight waits without a sign

export class WaitingCells {
  #lacking
  #cell
  #before = new Set() // what was lacking when it was last looked at
  #timer = null

  /** `lacking()` gives the items in sight that have no picture; `cell(item)` the cell of one. */
  constructor({ lacking, cell }) {
    this.#lacking = lacking
    this.#cell = cell
  }

  /** The content has moved, or something has come. */
  watch() {
    this.#timer ??= setTimeout(() => this.#look(), PATIENCE)
  }

  #look() {
    const lacking = this.#lacking()
    for (const item of lacking) if (this.#before.has(item)) this.#cell(item)?.work()
    this.#before = new Set(lacking)
    this.#timer = null
    if (lacking.length) this.watch()
  }
}
