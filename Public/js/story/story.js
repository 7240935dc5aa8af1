// The demo's story: plays the same scroll without and with prefetching, side by side, and shows the result. Takes about ten seconds.

import { RACEABLE } from '../boot.js'
import { learnConditions } from '../dashboard/demo-origin.js'
import { networkInAddress, setParameters } from '../page/address-bar.js'
import { PanePair } from '../race/pane-pair.js'
import { readyMade } from '../race/scrolls.js'
import { side } from '../race/setup.js'
import { BUCKET } from '../race/tally.js'
import { better, BUSY, seconds, storyResult, written } from '../race/verdict.js'
import { drawTimeline } from './timeline.js'

const SIDES = ['lookahead:off', 'lookahead'].map(side)
const NAMES = ['Without prefetching', 'With prefetching']
// Each side has its own network with the full bandwidth of the demo's origin. Without blurs, a cell is either empty or loaded.
const ALIKE = { share: 1, blurs: false }
const FIGURES = 250 // ms between updates of the figures
const PATIENCE = 1500 // maximum ms for loading the first screens of both sides
const LONGEST = 20_000 // ms after which the story closes

const stillness = matchMedia('(prefers-reduced-motion: reduce)') // if set, only the result is shown
const number = new Intl.NumberFormat('en')

export class Story {
  #dialog
  #part
  #left
  #pair
  #ending = new AbortController() // aborted when the story ends
  /** The moment when prefetching had its largest lead: the lead in cells, the time in ms, and the measurements of both sides. */
  #moment = { lead: -Infinity, time: 0, seen: [] }
  #figured = -Infinity // time of the last update of the figures, ms

  /** `left()` is called when the dialog closes, unless it was never shown. */
  constructor(dialog, left) {
    this.#dialog = dialog
    this.#part = (name) => dialog.querySelector(`[data-part="${name}"]`)
    this.#left = left
    this.#pair = new PanePair(dialog.querySelector('template'), { scrolled: () => {}, lost: () => this.#interrupt() })
    for (const [index, { root }] of this.#pair.panes.entries()) root.querySelector('h3 span').textContent = NAMES[index]
  }

  /** Runs the story in a gallery of the demo. Closes if anything fails. The gallery is behind it. */
  async run(gallery) {
    if (gallery.itemCount < RACEABLE) return
    const { bandwidth } = await learnConditions()
    const network = bandwidth === null ? 'network' : `${Number(bandwidth.toFixed(2))}\u00a0Mbit/s network`
    this.#part('strip').textContent = `Same scroll. Same ${network}. ${number.format(gallery.itemCount)}\u00a0pictures.`
    if (stillness.matches) this.#measureUnseen()
    else this.#dialog.showModal()
    this.#enter('preparing')
    this.#listen()
    try {
      await this.#open(gallery)
    } catch {
      this.#dialog.close()
    }
  }

  /** Lays out the dialog without showing it until the comparison ends. Any input of the person cancels the story. */
  #measureUnseen() {
    this.#dialog.inert = true
    this.#dialog.setAttribute('open', '')
    const interrupt = () => this.#dialog.inert && this.#dialog.close()
    const { signal } = this.#ending
    for (const type of ['pointerdown', 'keydown', 'wheel']) addEventListener(type, interrupt, { capture: true, passive: true, signal })
  }

  #listen() {
    const dialog = this.#dialog
    const { signal } = this.#ending
    const close = () => dialog.close()
    this.#part('leave').addEventListener('click', close, { signal })
    dialog.addEventListener('click', (event) => event.target === dialog && close(), { signal }) // a click beside the dialog
    dialog.addEventListener('close', () => this.#end(), { signal })
    document.addEventListener('visibilitychange', () => this.#interrupt(), { signal })
    const width = innerWidth
    addEventListener('resize', () => innerWidth !== width && this.#interrupt(), { signal })
    addEventListener('pagehide', () => this.#pair.close(), { signal })
    const timer = setTimeout(() => this.#interrupt(), LONGEST)
    signal.addEventListener('abort', () => clearTimeout(timer))
  }

  async #open(gallery) {
    const { room } = this.#pair
    await this.#pair.open(gallery, room, { ...ALIKE, ...networkInAddress() }, SIDES)
    await this.#pair.firstScreens(performance.now() + PATIENCE, () => this.#ending.signal.aborted)
    if (this.#ending.signal.aborted) return
    this.#enter('playing')
    this.#pair.run(readyMade('story', room.layout.itemHeight + room.layout.lineSpacing), (now) => {
      this.#watch(now)
      if (this.#pair.playback.isOver) this.#conclude()
      else if (now - this.#figured >= FIGURES) {
        this.#figured = now
        this.#write()
      }
    })
  }

  #watch(now) {
    const seen = this.#pair.panes.map((pane) => pane.seen)
    const lead = seen[0].blank.length - seen[1].blank.length
    if (lead > this.#moment.lead) this.#moment = { lead, time: this.#pair.passed(now), seen }
  }

  #write(mark = NaN) {
    for (const { root, tally } of this.#pair.panes) {
      root.querySelector('output').textContent = `${written.empty(tally.emptyShare)} empty`
      drawTimeline(root.querySelector('canvas'), tally, this.#pair.playback.length / BUCKET, mark)
    }
  }

  #conclude() {
    if (this.#dialog.inert) {
      this.#dialog.inert = false
      this.#dialog.removeAttribute('open')
      this.#dialog.showModal()
    }
    this.#pair.finish()
    this.#pair.close()
    const { panes, playback, load } = this.#pair
    const [without, prefetched] = panes.map(({ tally }) => tally.emptyShare)
    panes[1].root.toggleAttribute('data-winner', !load.isBusy && better('empty', [without, prefetched]) === 1)
    this.#part('result').textContent = load.isBusy ? BUSY : storyResult(without, prefetched)
    this.#enter('done')
    this.#showMoment(playback.length)
  }

  /** Shows the moment of the largest lead: its cells on both sides, and a mark in both timelines. */
  #showMoment(length) {
    const { time, seen } = this.#moment
    for (const [index, pane] of this.#pair.panes.entries()) pane.show(seen[index])
    const [left, right] = seen.map(({ cells, blank }) => cells - blank.length)
    this.#part('moment').textContent = `Empty cells haven’t loaded. After ${seconds(time)}, ${left} and ${right} of ${seen[0].cells} were loaded.`
    this.#write(time / length)
  }

  /** Closes the story because the comparison would be unfair: the page was hidden, the window was resized, or a session ended. */
  #interrupt() {
    if (this.#dialog.dataset.state !== 'done') this.#dialog.close()
  }

  #end() {
    const isShown = !this.#dialog.inert
    this.#dialog.inert = false
    this.#ending.abort()
    this.#pair.close()
    this.#pair.empty()
    setParameters({ story: null })
    if (isShown) this.#left()
  }

  #enter(state) {
    this.#dialog.dataset.state = state
    if (state !== 'done') return
    this.#part('leave').textContent = 'Try it yourself'
    this.#part('leave').classList.add('primary')
  }
}
