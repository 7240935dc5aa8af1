// Changes of layout and window on their way to the server: one at a time, the latest of each kind; meanwhile no scroll
// is posted, for its numbers would be read in the wrong layout.

export class Telling {
  /** `send(changes)` resolves when the server has them (null: there is no session, the next one will be asked right). */
  constructor(poster, { send, settle, told }) {
    Object.assign(this, { poster, send, settle, told })
    this.next = null
  }

  async add(changes) {
    this.next = { ...this.next, ...changes }
    if (this.poster.held) return
    this.poster.hold(true)
    while (this.next) {
      const now = this.next
      this.next = null
      const taken = await this.send(now)
      if (taken && now.layout && !this.next) await this.settle()
    }
    this.poster.hold(false)
    this.told()
  }
}
