// Watching what someone else watches: their plans move this page until its own person moves it.

import { address } from './api.js'
import { parameter } from './address-bar.js'

const EASE = 0.3 // of the way left, each frame

export class Follow {
  /** `layout()` is this page's; `say(text)` speaks politely. */
  constructor(bar, scroller, { layout, still, say }) {
    Object.assign(this, { bar, scroller, layout, still, say })
    this.leader = parameter('follow')
    this.following = Boolean(this.leader)
    this.target = null
    bar.hidden = !this.leader
    if (!this.leader) return
    bar.querySelector('button').addEventListener('click', () => (this.following ? this.#leave() : this.#join()))
    for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
      scroller.element.addEventListener(type, () => this.following && this.#leave(), { passive: true })
    }
    this.#show()
    this.#listen()
  }

  #listen() {
    // Pictures come by this page's own session; of the leader only the way is wanted.
    const path = `api/v1/sessions/${encodeURIComponent(this.leader)}/events?only=hello,plan,bye`
    const source = new EventSource(address(path))
    source.addEventListener('plan', (event) => this.#lead(JSON.parse(event.data)))
    source.addEventListener('hello', () => this.#show('Following'))
    source.addEventListener('bye', () => {
      source.close()
      this.#show('The presenter has left')
    })
    source.addEventListener('error', () => {
      this.#show(source.readyState === EventSource.CLOSED ? 'The presenter has left' : 'Waiting for the presenter…')
    })
    addEventListener('pagehide', () => source.close())
  }

  #lead({ visible, scrollTop, contentHeight }) {
    this.plan = { visible, scrollTop, contentHeight }
    const layout = this.layout()
    if (!this.following || !layout) return
    // In the same layout to the pixel, in another by the first item in view.
    const same = scrollTop !== undefined && Math.abs(contentHeight - layout.contentHeight) < 1
    const frame = same ? null : layout.frame(visible.from)
    this.target = same ? scrollTop : frame ? frame.y - layout.headerHeight : this.target
    if (this.still() || Math.abs(this.target - this.scroller.top) > 4 * this.scroller.height) this.scroller.jump(this.target)
    this.frame ??= requestAnimationFrame(() => this.#approach())
  }

  #approach() {
    this.frame = null
    if (!this.following || this.target === null) return
    const away = this.target - this.scroller.top
    this.scroller.jump(Math.abs(away) < 1 ? this.target : this.scroller.top + away * EASE)
    if (Math.abs(away) >= 1) this.frame = requestAnimationFrame(() => this.#approach())
  }

  #leave() {
    this.following = false
    this.target = null
    this.#show('Looking around by yourself')
  }

  #join() {
    this.following = true
    this.#show('Following')
    if (this.plan) this.#lead(this.plan)
  }

  #show(text = 'Waiting for the presenter…') {
    const state = text === 'Following' && !this.following ? 'Looking around by yourself' : text
    const [label, button] = this.bar.children
    if (label.textContent !== state) this.say(state)
    label.textContent = state
    button.textContent = this.following ? 'Leave' : 'Follow again'
  }
}
