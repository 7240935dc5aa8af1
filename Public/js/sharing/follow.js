// Follows another person's session: their plans scroll this page, and their viewer opens pictures here. Ends when the person of this
// page scrolls, clicks or presses a key.

import { presenterName } from '../boot.js'
import { parameter } from '../page/address-bar.js'
import { address } from '../session/api.js'
import { EventChannel } from '../session/event-channel.js'

const EASE = 0.3 // share of the remaining distance scrolled in each frame

const number = new Intl.NumberFormat('en')

export class Follow {
  #bar
  /** @type {EventChannel | null} */
  #channel = null
  /** @type {import('../scroll/scroller.js').Scroller} */
  #scroller
  /** @type {() => import('../layout/page-layout.js').Layout | null} */
  #layout
  #still
  #say
  #viewer
  #view
  #leader = parameter('follow')
  #following = Boolean(this.#leader)
  #state = 'waiting' // or live, gone
  #name = '' // the leader's
  #plan = null // the leader's last plan
  /** @type {number | null} */
  #viewing = null // item open in the leader's viewer
  /** @type {number | null} */
  #mirrored = null // item opened here because the leader has it open
  #target = null // scroll position to reach, px
  #frame = 0 // the requested animation frame

  /**
   * `layout()` returns this page's layout. `say(text)` announces a text to screen readers. `view(item)` opens an item in the dialog
   * `viewer`; `view(null)` closes it.
   */
  constructor(bar, scroller, { layout, still, say, viewer, view }) {
    this.#bar = bar
    this.#scroller = scroller
    this.#layout = layout
    this.#still = still
    this.#say = say
    this.#viewer = viewer
    this.#view = view
    bar.hidden = !this.#leader
    if (!this.#leader) return
    bar.querySelector('button').addEventListener('click', () => (this.#following ? this.#leave() : this.#join()))
    for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
      for (const element of [scroller.element, viewer]) {
        element.addEventListener(type, ({ target, key }) => this.#following && key !== 'Tab' && !bar.contains(target) && this.#leave(), { passive: true })
      }
    }
    const home = bar.parentNode
    viewer.addEventListener('close', () => home.append(bar))
    this.#show()
    // Pictures arrive through this page's own session. Only the leader's positions are needed.
    const channel = (this.#channel = new EventChannel(['hello', 'plan', 'bye'], {
      received: (name, data) => {
        if (name === 'plan') this.#lead(data)
        else if (name === 'hello') {
          this.#name = data.name
          this.#viewing = data.viewing ?? null
          this.#enter('live')
          this.mirror()
        } else {
          channel.close()
          this.#enter('gone')
        }
      },
      lost: () => this.#enter('waiting'),
      refused: () => this.#enter('gone'),
    }))
  }

  /** Opens the leader's stream, with this page's own session in the request. Call this for each new session. */
  listen({ id }) {
    const name = presenterName()
    const query = `session=${encodeURIComponent(id)}${name && `&name=${encodeURIComponent(name)}`}`
    if (this.#state !== 'gone') this.#channel?.open(address(`api/v1/follow/${encodeURIComponent(this.#leader)}/events?${query}`))
  }

  #lead({ visible, scrollTop, contentHeight }) {
    this.#plan = { visible, scrollTop, contentHeight }
    this.#show()
    const layout = this.#layout()
    if (!this.#following || !layout) return
    // Use the exact scroll position if both layouts have the same height, else the first visible item.
    const same = scrollTop !== undefined && Math.abs(contentHeight - layout.contentHeight) < 1
    const frame = same ? null : layout.frame(visible.from)
    this.#target = same ? scrollTop : frame ? frame.y - layout.headerHeight : this.#target
    if (this.#still() || Math.abs(this.#target - this.#scroller.top) > 4 * this.#scroller.height) this.#scroller.jump(this.#target)
    this.#frame ||= requestAnimationFrame(() => this.#approach())
  }

  /** Opens and closes the viewer like the leader. Call this also when a gallery has been laid out. */
  mirror() {
    if (!this.#following || !this.#layout() || this.#viewing === this.#mirrored) return
    this.#mirrored = this.#viewing
    this.#view(this.#viewing)
    // A modal dialog covers everything outside it.
    if (this.#viewing !== null) this.#viewer.append(this.#bar)
  }

  #approach() {
    this.#frame = 0
    if (!this.#following || this.#target === null) return
    const away = this.#target - this.#scroller.top
    this.#scroller.jump(Math.abs(away) < 1 ? this.#target : this.#scroller.top + away * EASE)
    if (Math.abs(away) >= 1) this.#frame = requestAnimationFrame(() => this.#approach())
  }

  #leave() {
    this.#following = false
    this.#target = this.#mirrored = null
    this.#show()
  }

  #join() {
    this.#following = true
    this.#show()
    if (this.#plan) this.#lead(this.#plan)
    this.mirror()
  }

  #enter(state) {
    this.#state = state
    this.#show()
  }

  #show() {
    const who = this.#name || 'the presenter'
    const [label, place, button] = this.#bar.children
    const text =
      this.#state === 'gone' ? `${capital(who)} has left`
      : this.#state === 'waiting' ? `Waiting for ${who}…`
      : this.#following ? `Following ${who}` : 'Scrolling on your own'
    if (label.textContent !== text) this.#say(text)
    label.textContent = text
    const visible = this.#state === 'live' && this.#plan?.visible
    place.textContent = visible ? `${this.#following ? '' : `${capital(who)} is `}at ${number.format(visible.from + 1)}–${number.format(visible.to)}` : ''
    button.textContent = this.#following ? 'Leave' : 'Follow again'
    button.hidden = this.#state === 'gone'
  }
}

const capital = (text) => text[0].toUpperCase() + text.slice(1)
