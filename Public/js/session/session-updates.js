// Changes of layout and window on their way to the server: one at a time, the latest of each kind; meanwhile no scroll
// is posted, for its numbers would be read in the wrong layout.

export class SessionUpdates {
  /** @type {import('./viewport-sender.js').ViewportSender} */
  #sender
  #send
  #settle
  #told
  #next = null // changes to be sent
  #untaken = null // those that the server may not have

  /** `send(changes)` resolves when the server has them (null: there is no session, the next one will be asked right). */
  constructor(sender, { send, settle, told }) {
    this.#sender = sender
    this.#send = send
    this.#settle = settle
    this.#told = told
  }

  async add(changes) {
    this.#next = { ...this.#untaken, ...this.#next, ...changes }
    this.#untaken = null
    if (this.#sender.held) return
    this.#sender.hold(true)
    while (this.#next) {
      const now = this.#next
      this.#next = null
      const taken = await this.#send(now)
      if (!taken) this.#untaken = { ...this.#untaken, ...now }
      if (taken && now.layout && !this.#next) await this.#settle()
    }
    this.#sender.hold(false)
    this.#told()
  }

  /** Sends what was not taken once more: the session is there again. */
  again() {
    if (this.#untaken) this.add({})
  }

  /** There is another session, which was asked for as it is to be. */
  forget() {
    this.#untaken = null
  }
}
