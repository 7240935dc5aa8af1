// A race: the same scroll under two policies, each with its own network of half the bandwidth, and a verdict at the end.

import { RACEABLE } from '../boot.js'
import { CoveringPart, parameter, traceInAddress } from '../page/address-bar.js'
import { parseTrace } from '../trace/format.js'
import { samplesOf } from '../trace/trace-link.js'
import { Board } from './board.js'
import { Menu } from './menu.js'
import { PanePair } from './pane-pair.js'
import { readyMade } from './scrolls.js'
import { BUSY, isEnough } from './verdict.js'
import { Waterfalls } from './waterfalls.js'

const FIGURES = 250 // ms between updates of the figures
const PATIENCE = 15_000 // maximum ms for loading the first screens of both sides
const LONGEST = 120_000 // maximum ms of the person's own scrolling

const stillness = matchMedia('(prefers-reduced-motion: reduce)') // if set, the race waits for its button

export class Race {
  #dialog
  #choose
  #recorded
  #part
  #menu
  #pair
  #board
  #waterfalls
  #cover
  #isPrepared = false // whether the gallery and the choices are loaded
  #run = 0 // incremented by every start and stop, so that late responses are ignored
  #given = new Map() // samples of a dropped trace and of the address, by the name of the scroll
  #width = 0 // width of the window at the start
  #figured = -Infinity // time of the last update of the figures
  #stopTimer = 0 // timer that ends the person's scroll

  /**
   * `choose()` resolves to the gallery to race in. `recorded()` returns the person's last minute of scrolling as a trace, or null.
   * `left()` is called when the dialog has closed.
   */
  constructor(dialog, { choose, recorded, left }) {
    this.#dialog = dialog
    this.#choose = choose
    this.#recorded = recorded
    const part = (this.#part = (name) => dialog.querySelector(`[data-part="${name}"]`))
    this.#menu = new Menu(dialog, () => this.start()) // a change of the choice starts a new race
    this.#pair = new PanePair(dialog.querySelector('.panes template'), {
      scrolled: (pane, top, phase) => this.#scrolled(pane, top, phase),
      lost: (reason) => (reason ? this.#fail(`The race has ended: ${reason}.`) : this.#unreachable('This race has no verdict.')),
    })
    this.#board = new Board(dialog, this.#pair.panes)
    this.#waterfalls = new Waterfalls(this.#pair.panes)
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
        this.#given.set('file', parseTrace(await file.text()).samples)
        this.#menu.offer('file', `Trace ${file.name}`)
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

  /** Loads the gallery and the choices, and starts the race unless the person prefers reduced motion. */
  async #prepare() {
    this.#isPrepared = false
    this.#part('start').disabled = false
    try {
      const gallery = await this.#choose()
      if (gallery.itemCount < RACEABLE) throw new Error(`A race needs at least ${RACEABLE} pictures to scroll through.`)
      const problem = parameter('trace') === 'link' && (await this.#readLink().catch(({ message }) => message))
      await this.#menu.learn(gallery)
      if (!this.#dialog.open) return // closed while loading
      this.#menu.write()
      this.#isPrepared = true
      this.#show()
      this.#part('start').focus()
      if (problem) this.#fail(problem)
      else if (!stillness.matches && !document.hidden) this.start()
    } catch (error) {
      if (!this.#dialog.open) return
      this.#part('start').disabled = error.status !== 0
      this.#failed(error)
    }
  }

  /** Offers the scroll in the address. */
  async #readLink() {
    const text = traceInAddress()
    this.#given.set('link', await samplesOf(text))
    this.#menu.offer('link', 'Scroll in the link', `trace=${text}`)
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
    if (this.#dialog.scrollHeight > this.#dialog.clientHeight) this.#pair.panes[0].root.scrollIntoView({ block: 'start' }) // small window
    try {
      const gallery = await this.#choose()
      if (run !== this.#run) return
      await this.#menu.prepare()
      if (run !== this.#run) return // the race was closed or restarted, so open no sessions
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

  /** Returns the samples to play over rows of `row` px, or null if the person scrolls. */
  #samplesOf(scroll, row) {
    if (scroll === 'own') return null
    if (this.#given.has(scroll)) return this.#given.get(scroll)
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
        this.#board.figures(this.#isConclusive(now) && !pair.load.isBusy)
      }
      this.#waterfalls.draw(now)
      if (pair.panes.some((pane) => pane.fetchedBytes >= this.#menu.byteLimit)) return void this.#finish('Download limit for this race reached.')
      if (pair.playback ? pair.playback.isOver : pair.passed(now) > LONGEST) this.#finish()
    }, this.#menu.source === 'network') // for a folder, rendering time is part of the comparison
    this.#enter('running')
    if (!samples) pair.panes[0].view.focus()
  }

  /** Handles scrolling by the person: the other side follows, and both sessions get the same positions. */
  #scrolled(pane, top, phase) {
    const { panes, playback } = this.#pair
    if (this.state === 'running' && playback) {
      pane.scroll(playback.last?.y ?? 0, 'idle') // undo the person's scrolling: the recorded scroll goes on
      return
    }
    for (const other of panes) {
      if (other === pane) other.reportPosition(phase)
      else other.scroll(top, phase)
    }
    clearTimeout(this.#stopTimer)
    this.#stopTimer = setTimeout(() => {
      for (const pane of panes) {
        pane.phases.stopped()
        pane.reportPosition('idle')
      }
    }, 150)
  }

  /** Ends the race with a verdict. `remark` is the reason if the race ends early. */
  async #finish(remark = '') {
    const run = ++this.#run
    const { panes, playback, load } = this.#pair
    this.#pair.finish()
    const isLong = playback ? this.#isConclusive(performance.now()) : panes.some((pane) => isEnough(pane.tally.distance, pane.view.clientHeight))
    this.#enter('finishing')
    await Promise.all(panes.map((pane) => pane.learn()))
    if (run !== this.#run) return
    const isConclusive = isLong && !load.isBusy
    this.#board.figures(isConclusive)
    this.#waterfalls.show(true)
    if (isConclusive) this.#board.conclude(this.#menu.bandwidth, remark)
    else if (isLong) this.#board.announce(BUSY)
    else this.#board.announce(remark || (playback ? 'Stopped too early to compare: let at least a third of the scroll play.' : 'Stopped too early to compare: scroll at least one screen.'))
    this.#pair.close()
    this.#enter('done')
    this.#part('headline').closest('.outcome').scrollIntoView({ block: 'nearest' }) // small window
  }

  /** Whether a third of the recorded scroll has played. False if the person scrolls, because the length is unknown. */
  #isConclusive(now) {
    const { playback } = this.#pair
    return playback !== null && this.#pair.passed(now) >= playback.length / 3
  }

  #show() {
    if (this.state === 'done') this.#enter('ready')
    const { sides, scroll } = this.#menu.choice
    this.#part('source').textContent = this.#menu.source
    this.#board.clear(sides)
    this.#waterfalls.show()
    const hint =
      this.state === 'preparing' ? 'Loading the first screen on both sides…'
      : scroll === 'own' ? 'Scroll either side; the other follows.' : 'Both sides play the same scroll.'
    this.#board.write(hint, '')
    this.#board.terms(this.#menu.terms)
  }

  /** Stops a race that can no longer be fair. */
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

  /** Shows that the server did not respond, and offers a retry. */
  #unreachable(consequence = '') {
    this.#fail(`The server can’t be reached. ${consequence}`.trim())
    this.#part('start').textContent = 'Retry'
  }

  #stop() {
    this.#run += 1
    clearTimeout(this.#stopTimer)
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
      this.#board.write(this.#pair.playback ? 'Playing the same scroll on both sides…' : 'Scroll either side; press Stop for the verdict.')
      this.#board.say('The race has started')
    }
  }
}
