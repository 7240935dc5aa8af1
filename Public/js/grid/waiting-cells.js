// Shows a sign of work in cells that have waited a while for their picture.

const PATIENCE = 400 // ms between checks. Cells lacking in two checks in a row get the sign

export class WaitingCells {
  #lacking
  #cell
  #before = new Set() // items lacking at the last check
  #timer = null

  /** `lacking()` returns the visible items without a picture, `cell(item)` the cell of an item. */
  constructor({ lacking, cell }) {
    this.#lacking = lacking
    this.#cell = cell
  }

  /** Call this when the content has moved or a picture has arrived. */
  watch() {
    this.#timer ??= setTimeout(() => this.#check(), PATIENCE)
  }

  #check() {
    const lacking = this.#lacking()
    for (const item of lacking) if (this.#before.has(item)) this.#cell(item)?.work()
    this.#before = new Set(lacking)
    this.#timer = null
    if (lacking.length) this.watch()
  }
}
