// Plays a trace that was dropped on the page.

import { GridLayout } from '../layout/grid-layout.js'
import { clock, parseTrace } from './format.js'
import { Playback } from './playback.js'

export class TracePlayer {
  phase = null // of the sample being played
  /** @type {import('../scroll/scroller.js').Scroller} */
  #scroller
  /** @type {() => import('../layout/page-layout.js').Layout | null} */
  #layout
  #bar
  #say
  #notify
  #playing = new AbortController()

  /** `bar` shows the progress and a stop button. `say(text)` is for screen readers, `notify(text)` also shows a message. */
  constructor(scroller, { layout, bar, say, notify }) {
    this.#scroller = scroller
    this.#layout = layout
    this.#bar = bar
    this.#say = say
    this.#notify = notify
    bar.querySelector('button').addEventListener('click', () => this.stop())
  }

  /** Plays the trace in a file, or shows why it cannot be played. */
  async open(file) {
    try {
      this.play(parseTrace(await file.text()))
    } catch (error) {
      this.#notify(error.message)
    }
  }

  play({ header, samples }) {
    this.stop()
    const scale = this.#scale(header)
    const began = performance.now()
    const playback = new Playback(samples)
    const { signal } = (this.#playing = new AbortController())
    for (const type of ['wheel', 'touchmove', 'keydown']) this.#scroller.element.addEventListener(type, () => this.stop(), { passive: true, signal })
    this.#say('Playing a recorded scroll')
    this.#bar.hidden = false
    const step = (now) => {
      if (signal.aborted) return
      const sample = playback.due(now - began)
      if (sample) {
        this.phase = sample.phase ?? null
        this.#scroller.jump(sample.y * scale)
      }
      this.#passed(now - began, playback.length)
      if (playback.isOver) this.stop()
      else requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  }

  stop() {
    this.#bar.hidden = true
    this.#playing.abort()
    this.phase = null
  }

  #passed(time, length) {
    const text = `${clock(Math.min(time, length))} of ${clock(length)}`
    const place = this.#bar.querySelector('small')
    if (place.textContent !== text) place.textContent = text
  }

  /** Returns the factor from positions in the trace to positions on this page. The recording window may have had another size. */
  #scale({ layout, itemCount, viewport }) {
    const here = this.#layout()
    if (layout?.kind !== 'grid' || !itemCount || !here) return 1
    const full = { lineSpacing: 0, interitemSpacing: 0, headerHeight: 0, ...layout }
    full.sectionInset ??= { top: 0, left: 0, bottom: 0, right: 0 }
    if (itemCount !== here.itemCount) return 1
    const there = new GridLayout(full, viewport.width, here.sections, itemCount)
    return there.contentHeight > 0 ? here.contentHeight / there.contentHeight : 1
  }
}
