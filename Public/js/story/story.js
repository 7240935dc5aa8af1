// The demo's story: the same scroll without prefetching and with it, side by side, and what it came to. About ten seconds.

import { RACEABLE } from '../boot.js'
import { learnConditions } from '../dashboard/demo-origin.js'
import { networkInAddress, setParameters } from '../page/address-bar.js'
import { PanePair } from '../race/pane-pair.js'
import { readyMade } from '../race/scrolls.js'
import { side } from '../race/setup.js'
import { better, storyResult, written } from '../race/verdict.js'

const SIDES = ['lookahead:off', 'lookahead'].map(side)
const NAMES = ['Without prefetching', 'With prefetching']
// Each side has a network of its own, as wide as the origin's; and a cell is blank or shows its picture: that is compared.
const ALIKE = { share: 1, blurs: false }
const FIGURES = 250 // ms between two writings of the numbers
const PATIENCE = 1500 // ms for the first screens of both sides
const LONGEST = 20_000 // ms after which it is given up

const number = new Intl.NumberFormat('en')

export class Story {
  #dialog
  #part
  #left
  #pair
  #ending = new AbortController() // aborted when it is over
  #figured = -Infinity // when the numbers were written last, ms

  /** `left()` is told when the dialog has closed. */
  constructor(dialog, left) {
    this.#dialog = dialog
    this.#part = (name) => dialog.querySelector(`[data-part="${name}"]`)
    this.#left = left
    this.#pair = new PanePair(dialog.querySelector('template'), { scrolled: () => {}, lost: () => this.#interrupt() })
    for (const [index, { root }] of this.#pair.panes.entries()) root.querySelector('h3 span').textContent = NAMES[index]
  }

  /** Tells it in a gallery of the demo. Where anything fails it closes: the gallery is there. */
  async tell(gallery) {
    if (gallery.itemCount < RACEABLE) return
    const { bandwidth } = await learnConditions()
    const network = bandwidth === null ? 'network' : `${Number(bandwidth.toFixed(2))}\u00a0Mbit/s network`
    this.#part('strip').textContent = `Same scroll. Same ${network}. ${number.format(gallery.itemCount)}\u00a0pictures.`
    this.#dialog.showModal()
    this.#enter('preparing')
    this.#listen()
    try {
      await this.#open(gallery)
    } catch {
      this.#dialog.close()
    }
  }

  #listen() {
    const dialog = this.#dialog
    const { signal } = this.#ending
    const close = () => dialog.close()
    this.#part('leave').addEventListener('click', close, { signal })
    dialog.addEventListener('click', (event) => event.target === dialog && close(), { signal }) // beside it
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
      if (this.#pair.playback.isOver) this.#conclude()
      else if (now - this.#figured >= FIGURES) {
        this.#figured = now
        this.#write()
      }
    })
  }

  #write() {
    for (const { root, tally } of this.#pair.panes) root.querySelector('output').textContent = `${written.blank(tally.blankShare)} blank`
  }

  #conclude() {
    this.#pair.finish()
    this.#pair.close()
    this.#write()
    const [without, prefetched] = this.#pair.panes.map(({ tally }) => tally.blankShare)
    this.#pair.panes[1].root.toggleAttribute('data-winner', better('blank', [without, prefetched]) === 1)
    this.#part('result').textContent = storyResult(without, prefetched)
    this.#enter('done')
  }

  /** It could not be compared any more: the window has changed, or a session has gone. */
  #interrupt() {
    if (this.#dialog.dataset.state !== 'done') this.#dialog.close()
  }

  #end() {
    this.#ending.abort()
    this.#pair.close()
    this.#pair.empty()
    setParameters({ story: null })
    this.#left()
  }

  #enter(state) {
    this.#dialog.dataset.state = state
    if (state !== 'done') return
    this.#part('leave').textContent = 'Try it yourself'
    this.#part('leave').classList.add('primary')
  }
}
