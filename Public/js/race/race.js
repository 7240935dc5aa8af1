// A race: the same scroll under two policies, each on a line of its own, half as wide; and at the end a verdict.

import { RACEABLE } from '../boot.js'
import { layoutOptions } from '../layout/layout-options.js'
import { parseTrace } from '../trace/format.js'
import { Playback } from '../trace/playback.js'
import { Board } from './board.js'
import { Menu } from './menu.js'
import { firstScreens, twoPanes } from './pane.js'
import { readyMade } from './scrolls.js'

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
  #panes
  #board
  #run = 0 // rises with every change of mind, so that late answers are dropped
  #dropped = null // the samples of a trace that was dropped here
  /** @type {Playback | null} what is played; null while the person scrolls */
  #playback = null
  #width = 0 // of the window when it was started
  #began = 0
  #figured = -Infinity // when the numbers were written last
  #frame = 0
  #resting = 0 // the timer until the person's scroll counts as stopped

  /**
   * `choose()` resolves to the gallery to race in, `recorded()` gives the person's last minute as a trace, or null;
   * `left()` is told when the dialog has closed.
   */
  constructor(dialog, { choose, recorded, left }) {
    this.#dialog = dialog
    this.#choose = choose
    this.#recorded = recorded
    const part = (name) => dialog.querySelector(`[data-part="${name}"]`)
    this.#part = part
    this.#menu = new Menu(dialog, () => this.start()) // another choice begins another race
    this.#panes = twoPanes(dialog.querySelector('.panes template'), {
      scrolled: (pane, top, phase) => this.#scrolled(pane, top, phase),
      lost: (reason) => this.#fail(`The race has ended: ${reason}.`),
    })
    this.#board = new Board(dialog, this.#panes)
    part('start').addEventListener('click', () => (this.state === 'running' ? this.#finish() : this.start()))
    part('close').addEventListener('click', () => dialog.close())
    dialog.addEventListener('close', () => {
      this.#stop()
      this.#menu.leave()
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
    document.addEventListener('visibilitychange', () => document.hidden && this.#interrupt('this page was out of sight'))
    addEventListener('resize', () => innerWidth !== this.#width && this.#interrupt('the window has changed'))
    addEventListener('pagehide', () => this.#panes.forEach((pane) => pane.close()))
  }

  async open() {
    if (this.#dialog.open) return
    this.#dialog.showModal()
    this.#enter('ready')
    try {
      const gallery = await this.#choose()
      if (gallery.itemCount < RACEABLE) throw new Error(`A race needs something to scroll through: at least ${RACEABLE} pictures.`)
      await this.#menu.learn(gallery)
      this.#show()
      this.#part('start').focus()
      if (!stillness.matches && !document.hidden) this.start()
    } catch (error) {
      this.#part('start').disabled = true
      this.#fail(error.message)
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
    for (const pane of this.#panes) pane.empty()
    this.#enter('preparing')
    this.#show()
    if (this.#dialog.scrollHeight > this.#dialog.clientHeight) this.#panes[0].root.scrollIntoView({ block: 'start' }) // a small window
    try {
      const samples = this.#samplesOf(scroll)
      const gallery = await this.#choose()
      if (run !== this.#run) return
      await this.#menu.prepare()
      if (run !== this.#run) return // closed, or begun anew: nobody would end the sessions
      this.#board.terms(this.#menu.terms)
      const width = Math.floor(Math.min(...this.#panes.map((pane) => pane.view.clientWidth)))
      const height = Math.floor(Math.min(...this.#panes.map((pane) => pane.view.clientHeight)))
      const layout = layoutOptions({ kind: 'grid', density: 2, width, titled: false })
      await Promise.all(this.#panes.map((pane, index) => pane.open({
        gallery, layout, width, height, ...this.#menu.line, policy: sides[index].policy, prefetching: sides[index].prefetching,
      })))
      await firstScreens(this.#panes, performance.now() + PATIENCE, () => run !== this.#run)
      if (run === this.#run) this.#go(samples)
    } catch (error) {
      if (run === this.#run) this.#fail(error.message)
    }
  }

  /** What is played, null for the person's own scrolling. */
  #samplesOf(scroll) {
    if (scroll === 'own') return null
    if (scroll === 'file') return this.#dropped
    if (scroll !== 'recorded') return readyMade(scroll)
    const trace = this.#recorded()
    if (!trace) throw new Error('Nothing was scrolled yet: scroll the gallery first, then race it.')
    return parseTrace(trace).samples
  }

  #go(samples) {
    const playback = (this.#playback = samples && new Playback(samples))
    this.#enter('running')
    this.#began = performance.now()
    this.#figured = -Infinity
    if (!playback) this.#panes[0].view.focus()
    const step = (now) => {
      this.#frame = requestAnimationFrame(step)
      this.#play(now)
      for (const pane of this.#panes) pane.measure(now)
      if (now - this.#figured >= FIGURES) this.#figures(now)
      if (this.#panes.some((pane) => pane.fetchedBytes >= this.#menu.byteLimit)) return void this.#finish('As much was downloaded as a race may.')
      if (playback ? playback.isOver : now - this.#began > LONGEST) this.#finish()
    }
    this.#frame = requestAnimationFrame(step)
  }

  #play(now) {
    const before = this.#playback?.last
    const sample = this.#playback?.due(now - this.#began)
    // At rest the same sample comes again and again; the server hears it once.
    if (!sample || (sample.y === before?.y && sample.phase === before?.phase)) return
    for (const pane of this.#panes) pane.scroll(sample.y, sample.phase ?? 'wheel')
  }

  /** The person scrolls one side: the other one follows, and both servers hear the same. */
  #scrolled(pane, top, phase) {
    if (this.state === 'running' && this.#playback) {
      pane.scroll(this.#playback.last?.y ?? 0, 'idle') // a recorded scroll is the same for everyone
      return
    }
    for (const other of this.#panes) {
      if (other === pane) other.told(phase)
      else other.scroll(top, phase)
    }
    clearTimeout(this.#resting)
    this.#resting = setTimeout(() => {
      for (const pane of this.#panes) {
        pane.phases.rest()
        pane.told('idle')
      }
    }, 150)
  }

  /** The verdict; `remark` says why it comes early. */
  async #finish(remark = '') {
    cancelAnimationFrame(this.#frame)
    const run = ++this.#run
    const now = performance.now()
    for (const pane of this.#panes) {
      pane.measure(now)
      pane.tally.finish(now)
    }
    this.#enter('finishing')
    await Promise.all(this.#panes.map((pane) => pane.learn()))
    if (run !== this.#run) return
    this.#figures(now)
    this.#board.conclude(this.#menu.choice.sides, remark)
    for (const pane of this.#panes) pane.close()
    this.#enter('done')
    this.#part('headline').closest('.outcome').scrollIntoView({ block: 'nearest' }) // a small window
  }

  #figures(now) {
    this.#figured = now
    this.#board.figures(this.#playback?.length)
  }

  /** Writes what is about to be raced. */
  #show() {
    if (this.state === 'done') this.#enter('ready')
    const { sides, scroll } = this.#menu.choice
    this.#part('source').textContent = this.#menu.source
    this.#board.clear(sides)
    const hint =
      this.state === 'preparing' ? 'Loading the first screen of both sides…'
      : scroll === 'own' ? 'Scroll either side: the other one follows.' : 'Both sides play the same scroll.'
    this.#board.words(hint, '')
    this.#board.terms(this.#menu.terms)
  }

  /** A race that cannot be fair any more. */
  #interrupt(reason) {
    if (this.state === 'preparing' || this.state === 'running') this.#fail(`The race was broken off: ${reason}. Start it again.`)
  }

  #fail(reason) {
    this.#stop()
    this.#enter('ready')
    this.#board.words(reason, '')
    this.#board.say(reason)
  }

  #stop() {
    this.#run += 1
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#resting)
    for (const pane of this.#panes) pane.close()
    this.#playback = null
    if (this.state !== 'ready') this.#enter('ready')
  }

  #enter(state) {
    this.#dialog.dataset.state = state
    const start = this.#part('start')
    start.textContent = state === 'running' ? 'Stop' : state === 'done' ? 'Again' : state === 'preparing' ? 'Loading…' : 'Start'
    start.setAttribute('aria-busy', state === 'preparing' || state === 'finishing')
    if (state === 'running') {
      this.#board.words(this.#playback ? 'Playing the scroll on both sides…' : 'Scroll either side; press Stop for the verdict.')
      this.#board.say('The race runs')
    }
  }
}
