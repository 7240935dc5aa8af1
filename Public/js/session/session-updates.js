// Sends changes of the layout and the viewport size to the server, one request at a time with the latest values. Until then no scroll
// position is posted, because the server would read it in the wrong layout.

export class SessionUpdates {
  /** @type {import('./viewport-sender.js').ViewportSender} */
  #sender
  #send
  #settle
  #sent
  #next = null // changes to send
  #untaken = null // changes that the server may not have received

  /**
   * `send(changes)` resolves when the server has applied the changes; to null if there is no session. `settle()` is called after a change
   * of the layout, `sent()` when all changes have been sent.
   */
  constructor(sender, { send, settle, sent }) {
    this.#sender = sender
    this.#send = send
    this.#settle = settle
    this.#sent = sent
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
    this.#sent()
  }

  /** Sends changes again that the server may not have received. Call this when the session is back. */
  again() {
    if (this.#untaken) this.add({})
  }

  /** Drops such changes. Call this when there is a new session, which was requested with the current values. */
  forget() {
    this.#untaken = null
  }
}
