// A race: the same scroll under two policies, each on a line of its own, half as wide; and at the end a verdict.

import { RACEABLE } from '../boot.js'
import { CoveringPart } from '../page/address-bar.js'
import { parseTrace } from '../trace/format.js'
import { Board } from './board.js'
import { Menu } from './menu.js'
import { PanePair } from './pane-pair.js'
import { readyMade } from './scrolls.js'
import { BUSY, isEnough } from './verdict.js'

const FIGURES = 250 // ms between two writings of the numbers
const PATIENCE = 15_000 // ms for the first screens of both sides
const LONGEST = 120_000 // ms of one's own scrolling

const stillness = matchMedia('(prefers-reduced-motion: reduce)') // then it waits for its button

export class Race {
  #dialog
  #choose
  #recorded
  #part
  #menu
  #pair
  #board
  #cover
  #isPrepared = false // it knows the gallery and what can be raced in it
  #run = 0 // rises with every change of mind, so that late answers are dropped
  #dropped = null // the samples of a trace that was dropped here
  #width = 0 // of the window when it was started
  #figured = -Infinity // when the numbers were written last
  #resting = 0 // the timer until the person's scroll counts as stopped

  /**
   * `choose()` resolves to the gallery to race in, `recorded()` gives the person's last minute as a trace, or null;
   * `left()` is told when the dialog has closed.
   */
  constructor(dialog, { choose, recorded, left }) {
    this.#dialog = dialog
    this.#choose = choose
    this.#recorded = recorded
    const part = (this.#part = (name) => dialog.querySelector(`[data-part="${name}"]`))
    this.#menu = new Menu(dialog, () => this.start()) // another choice begins another race
    this.#pair = new PanePair(dialog.querySelector('.panes template'), {
      scrolled: (pane, top, phase) => this.#scrolled(pane, top, phase),
      lost: (reason) => (reason ? this.#fail(`The race has ended: ${reason}.`) : this.#unreachable('This race has no verdict.')),
    })
    this.#board = new Board(dialog, this.#pair.panes)
    this.#cover = new CoveringPart('race', () => dialog.open && dialog.close())
    part('start').addEventListener('click', () => {
      if (this.state === 'running') this.#finish()
      else if (this.#isPrepared) this.start()
      else this.#prepare()
    })
    part('close').addEventListener('click', () => dialog.close())
    dialog.addEventListener('close', () => {
      this.#stop()
      this.#cover.close('race', 'trace')
      left()
    })
    dialog.addEventListener('drop', async (event) => {
      const file = event.dataTransfer?.files[0]
      if (!file) return
      event.preventDefault()
      event.stopPropagation()
      try {
        this.#dropped = parseTrace(await file.text()).samples
        this.#menu.offerFile(file.name)
        this.start()
      } catch (error) {
        this.#fail(error.message)
      }
    })
    document.addEventListener('visibilitychange', () => document.hidden && this.#interrupt('this page was hidden'))
    addEventListener('resize', () => innerWidth !== this.#width && this.#interrupt('the window was resized'))
    addEventListener('pagehide', () => this.#pair.close())
  }

  async open() {
    if (this.#dialog.open) return
    this.#cover.open()
    this.#dialog.showModal()
    this.#enter('ready')
    await this.#prepare()
  }

  /** Learns what can be raced, and starts the race if motion is welcome. */
  async #prepare() {
    this.#isPrepared = false
    this.#part('start').disabled = false
    try {
      const gallery = await this.#choose()
      if (gallery.itemCount < RACEABLE) throw new Error(`A race needs at least ${RACEABLE} pictures to scroll through.`)
      await this.#menu.learn(gallery)
      if (!this.#dialog.open) return // closed meanwhile
      this.#menu.write()
      this.#isPrepared = true
      this.#show()
      this.#part('start').focus()
      if (!stillness.matches && !document.hidden) this.start()
    } catch (error) {
      if (!this.#dialog.open) return
      this.#part('start').disabled = error.status !== 0
      this.#failed(error)
    }
  }

  get state() {
    return this.#dialog.dataset.state
  }

  async start() {
    this.#stop()
    const run = this.#run
    const { sides, scroll } = this.#menu.choice
    this.#width = innerWidth
    this.#pair.empty()
    this.#enter('preparing')
    this.#show()
    if (this.#dialog.scrollHeight > this.#dialog.clientHeight) this.#pair.panes[0].root.scrollIntoView({ block: 'start' }) // a small window
    try {
      const gallery = await this.#choose()
      if (run !== this.#run) return
      await this.#menu.prepare()
      if (run !== this.#run) return // closed, or begun anew: nobody would end the sessions
      this.#board.terms(this.#menu.terms)
      const { room } = this.#pair
      const samples = this.#samplesOf(scroll, room.layout.itemHeight + room.layout.lineSpacing)
      await this.#pair.open(gallery, room, this.#menu.line, sides)
      await this.#pair.firstScreens(performance.now() + PATIENCE, () => run !== this.#run)
      if (run === this.#run) this.#go(samples)
    } catch (error) {
      if (run === this.#run) this.#failed(error)
    }
  }

  /** The scroll that is played over rows of `row` px, null for the person's own scrolling. */
  #samplesOf(scroll, row) {
    if (scroll === 'own') return null
    if (scroll === 'file') return this.#dropped
    if (scroll !== 'recorded') return readyMade(scroll, row)
    const trace = this.#recorded()
    if (!trace) throw new Error('You haven’t scrolled yet. Scroll the gallery first, then race that scroll.')
    return parseTrace(trace).samples
  }

  #go(samples) {
    const pair = this.#pair
    this.#figured = -Infinity
    pair.run(samples, (now) => {
      if (now - this.#figured >= FIGURES) {
        this.#figured = now
        this.#board.figures(pair.playback?.length, this.#isTelling(now) && !pair.load.isBusy)
      }
      if (pair.panes.some((pane) => pane.fetchedBytes >= this.#menu.byteLimit)) return void this.#finish('Download limit for this race reached.')
      if (pair.playback ? pair.playback.isOver : pair.passed(now) > LONGEST) this.#finish()
    }, this.#menu.source === 'network') // of a folder the time to render is compared, too
    this.#enter('running')
    if (!samples) pair.panes[0].view.focus()
  }

  /** The person scrolls one side: the other one follows, and both servers hear the same. */
  #scrolled(pane, top, phase) {
    const { panes, playback } = this.#pair
    if (this.state === 'running' && playback) {
      pane.scroll(playback.last?.y ?? 0, 'idle') // a recorded scroll is the same for everyone
      return
    }
    for (const other of panes) {
      if (other === pane) other.told(phase)
      else other.scroll(top, phase)
    }
    clearTimeout(this.#resting)
    this.#resting = setTimeout(() => {
      for (const pane of panes) {
        pane.phases.rest()
        pane.told('idle')
      }
    }, 150)
  }

  /** The verdict; `remark` says why it comes early. */
  async #finish(remark = '') {
    const run = ++this.#run
    const { panes, playback, load } = this.#pair
    this.#pair.finish()
    const isLong = playback ? this.#isTelling(performance.now()) : panes.some((pane) => isEnough(pane.tally.distance, pane.view.clientHeight))
    this.#enter('finishing')
    await Promise.all(panes.map((pane) => pane.learn()))
    if (run !== this.#run) return
    const isTelling = isLong && !load.isBusy
    this.#board.figures(playback?.length, isTelling)
    if (isTelling) this.#board.conclude(this.#menu.bandwidth, remark)
    else if (isLong) this.#board.announce(BUSY)
    else this.#board.announce(remark || (playback ? 'Stopped too early to compare: let at least a third of the scroll play.' : 'Stopped too early to compare: scroll at least one screen.'))
    this.#pair.close()
    this.#enter('done')
    this.#part('headline').closest('.outcome').scrollIntoView({ block: 'nearest' }) // a small window
  }

  /** Whether a third of the scroll has played; of one's own scrolling nobody knows that before its end. */
  #isTelling(now) {
    const { playback } = this.#pair
    return playback !== null && this.#pair.passed(now) >= playback.length / 3
  }

  /** Writes what is about to be raced. */
  #show() {
    if (this.state === 'done') this.#enter('ready')
    const { sides, scroll } = this.#menu.choice
    this.#part('source').textContent = this.#menu.source
    this.#board.clear(sides)
    const hint =
      this.state === 'preparing' ? 'Loading the first screen on both sides…'
      : scroll === 'own' ? 'Scroll either side; the other follows.' : 'Both sides play the same scroll.'
    this.#board.words(hint, '')
    this.#board.terms(this.#menu.terms)
  }

  /** A race that cannot be fair any more. */
  #interrupt(reason) {
    if (this.state === 'preparing' || this.state === 'running') this.#fail(`The race was stopped: ${reason}. Start it again.`)
  }

  #fail(reason) {
    this.#stop()
    this.#board.announce(reason)
  }

  #failed(/** @type {any} */ error) {
    if (error.status === 0) this.#unreachable()
    else this.#fail(error.message)
  }

  /** No response came: it can be tried again. */
  #unreachable(consequence = '') {
    this.#fail(`The server can’t be reached. ${consequence}`.trim())
    this.#part('start').textContent = 'Retry'
  }

  #stop() {
    this.#run += 1
    clearTimeout(this.#resting)
    this.#pair.close()
    this.#pair.playback = null
    if (this.state !== 'ready') this.#enter('ready')
  }

  #enter(state) {
    this.#dialog.dataset.state = state
    const start = this.#part('start')
    start.textContent = state === 'running' ? 'Stop' : state === 'done' ? 'Again' : state === 'preparing' ? 'Loading…' : 'Start'
    start.setAttribute('aria-busy', state === 'preparing' || state === 'finishing')
    if (state === 'running') {
      this.#board.words(this.#pair.playback ? 'Playing the same scroll on both sides…' : 'Scroll either side; press Stop for the verdict.')
      this.#board.say('The race has started')
    }
  }
}
