// The dashboard shows the server's work beside the gallery. While hidden, it receives no events and draws nothing.

import { setParameters } from '../page/address-bar.js'
import { address } from '../session/api.js'
import { EventChannel } from '../session/event-channel.js'
import { AudiencePanel } from './audience-panel.js'
import { DemoOrigin } from './demo-origin.js'
import { Figures } from './figures.js'
import { Ghost } from './ghost.js'
import { LastMinute } from './last-minute.js'
import { Minimap, stateOf } from './minimap.js'

const number = new Intl.NumberFormat('en')
const CALM = 100 // ms between drawings without movement
const LIVELY = 30 // ms between drawings during movement. The rings around cells are updated every frame

export class Dashboard {
  #panel
  #button
  #status
  /** @type {import('../grid/grid.js').Grid} */
  #grid
  #scene
  /** @type {import('../session/connection.js').Connection} */
  #connection
  #minimap
  #figures
  #minute
  #ghost = new Ghost(document.getElementById('scrubber'))
  #audience
  #sentence
  #origin
  #last = null // the previous `stats`
  #seen = { cells: 0, empty: 0 } // sums over all drawings of this second
  #spent = { frames: 0, time: 0 } // drawings, and ms spent on them
  #drawn = -Infinity // time of the last drawing of the minimap, ms
  #timer = 0
  #frame = 0 // the requested animation frame
  #channel = new EventChannel(['progress', 'stats', 'record'], {
    received: (name, data) => this.#received(name, data),
    lost: () => this.#lost(),
    refused: () => this.#lost(),
    woken: () => this.#restart(),
  })

  /**
   * `scene()` returns what to draw (layout, scroller, scrubber, thumbnails, prefetchState, visible, itemCount, audience), or null.
   * @param {any} panel
   * @param {HTMLElement} button
   * @param {HTMLElement} status
   * @param {() => any} scene
   * @param {import('../page/page.js').Page} page
   */
  constructor(panel, button, status, scene, page) {
    const { grid, session: { connection } } = page
    this.#panel = panel
    this.#button = button
    this.#status = status
    this.#grid = grid
    this.#scene = scene
    this.#connection = connection
    const part = (name) => panel.querySelector(`[data-part="${name}"]`)
    this.#minimap = new Minimap(part('minimap'), part('whole'), panel.querySelectorAll('[data-swatch]'))
    this.#figures = new Figures(part('figures'))
    this.#minute = new LastMinute(part, scene, page)
    this.#audience = new AudiencePanel(part, (changes) => connection.change(changes))
    this.#sentence = part('sentence')
    this.#origin = new DemoOrigin(part('origin'), () => connection.session)
  }

  get isOpen() {
    return !this.#panel.hidden
  }

  toggle(open = !this.isOpen) {
    this.#panel.hidden = this.#status.hidden = !open
    this.#button.setAttribute('aria-pressed', String(open))
    document.documentElement.toggleAttribute('data-dashboard', open)
    setParameters({ dashboard: open ? '' : null })
    clearInterval(this.#timer)
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    this.listen()
    if (open) {
      this.#spent = { frames: 0, time: 0 }
      this.#drawn = -Infinity
      this.#timer = setInterval(() => this.#draw(true), CALM)
      this.#draw(true)
    } else {
      this.#ghost.hide()
      this.#minute.end()
      for (const cell of this.#grid.layer.querySelectorAll('[data-ring]')) delete cell.dataset.ring
    }
  }

  /** Opens or closes the event stream for progress and statistics. Call this when the session changes. */
  listen() {
    const path = this.isOpen && this.#connection.path
    this.#restart()
    if (this.isOpen) this.#origin.learn()
    this.#minute.begin(path)
    if (path) this.#channel.open(address(`${path}/events`))
    else this.#channel.close()
  }

  /** Forgets the previous `stats` because the next ones do not follow directly. */
  #restart() {
    this.#last = null
    if (this.isOpen) this.#minute.begin(this.#connection.path)
  }

  #received(name, data) {
    if (name === 'stats') this.#stats(data)
    else if (name === 'record') this.#minute.received(data)
    else this.#scene()?.prefetchState.report(data)
  }

  #stats(stats) {
    const last = this.#last ?? stats
    const [seen, blank] = [stats.visibleTime - last.visibleTime, stats.blankTime - last.blankTime]
    this.#last = stats
    const prefetchState = this.#scene()?.prefetchState
    const hasMoved = prefetchState?.moved ?? false
    this.#figures.add({
      hits: hasMoved ? stats.hitRatio : NaN, // meaningless before the first scroll
      blank: seen > 0 ? blank / seen : NaN,
      empty: this.#seen.cells ? this.#seen.empty / this.#seen.cells : NaN,
      downloads: stats.server.downloadsPerSecond,
      elsewhere: stats.server.foundElsewherePerSecond ?? NaN, // only if servers share thumbnails
      cancels: stats.counts.cancelled - last.counts.cancelled,
      wasted: hasMoved ? prefetchState.unseenShare : NaN,
      latency: stats.latency,
    })
    this.#seen = { cells: 0, empty: 0 }
    this.#summarize()
    this.#audience.show(stats.followers ?? 0, this.#scene())
    const each = this.#spent.frames ? this.#spent.time / this.#spent.frames : 0
    Object.assign(this.#panel.dataset, { each, frames: this.#spent.frames }) // read by the performance test
  }

  #summarize() {
    const { prefetchState } = this.#scene() ?? {}
    if (!prefetchState?.moved) return
    const fetched = `${number.format(prefetchState.ahead)} ${prefetchState.ahead === 1 ? 'picture' : 'pictures'} fetched before you got there`
    this.#sentence.textContent = prefetchState.cancelled ? `${fetched}, ${number.format(prefetchState.cancelled)} cancelled because you moved on.` : `${fetched}.`
  }

  /** Removes the figures because the server does not respond. */
  #lost() {
    this.#figures.clear()
    this.#sentence.textContent = 'The server isn’t responding.'
  }

  moved() {
    if (!this.isOpen || this.#frame) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0
      this.#draw(false)
    })
  }

  /** Draws the rings and the minimap. `whole`: also the strip of the whole gallery, on which a frame's movement is less than a pixel. */
  #draw(whole) {
    const began = performance.now()
    const scene = this.isOpen && !document.hidden && this.#scene()
    if (!scene) return
    if (whole || began - this.#drawn >= LIVELY) {
      this.#drawn = began
      this.#minimap.draw(scene, whole)
    }
    const { from, to } = scene.visible
    for (const cell of this.#grid.cells()) {
      if (cell.item >= from && cell.item < to) {
        this.#seen.cells += 1
        if (cell.isEmpty) this.#seen.empty += 1
      }
      const state = stateOf(cell.item, scene, began)
      if (cell.element.dataset.ring !== state) cell.element.dataset.ring = state
      if (state === 'loading') cell.element.style.setProperty('--share', scene.prefetchState.loading.get(cell.item))
    }
    this.#ghost.draw(scene, began)
    this.#minute.draw(scene, { visible: to - from, blank: to - from - scene.thumbnails.count({ from, to }) }, began)
    this.#spent.frames += 1
    this.#spent.time += performance.now() - began
  }
}
