// The film of an item: a video plays with its controls, a Live Photo or motion photo while it is held.

import { isEmbedded } from '../session/api.js'
import { offers } from '../session/offers.js'

const VIDEO = /\.(mp4|m4v|mov|3gp)$/i
const REST = 300 // ms a finger rests on the picture until it plays
const STILL = 10 // px that a resting finger may tremble

const stillness = matchMedia('(prefers-reduced-motion: reduce)')

/** Whether a file of this name is a video. */
export const isVideo = (/** @type {string | undefined} */ file) => VIDEO.test(file ?? '')

export class Film {
  /** Whether the last touch of the picture was a finger that rested there, and neither a tap nor a swipe. */
  hasRested = false
  /** @type {HTMLVideoElement} */
  #video
  /** @type {HTMLButtonElement} */
  #live
  #problem
  #frame
  #address = ''
  #asked = new AbortController() // for what is asked about the item on show
  #isHeld = false
  #rest = 0
  #from = { x: 0, y: 0 }

  /**
   * @param {(name: string) => any} part finds the elements.
   * @param {{changed: () => void}} heard `changed()` is called when it begins to play, and when it stops.
   */
  constructor(part, { changed }) {
    ;[this.#video, this.#live, this.#problem, this.#frame] = ['film', 'live', 'film-problem', 'frame'].map(part)
    if (isEmbedded) this.#video.crossOrigin = 'use-credentials'
    for (const type of ['play', 'pause', 'ended', 'emptied']) this.#video.addEventListener(type, changed)
    this.#video.addEventListener('loadeddata', () => (this.#video.dataset.ready = 'true'))
    this.#video.addEventListener('error', () => this.#video.hasAttribute('src') && this.#fail())
    this.#video.addEventListener('ended', () => this.#isLive && this.#release())
    this.#hearButton()
    this.#hearFinger(this.#frame)
  }

  get isPlaying() {
    return !this.#video.paused
  }

  get #isLive() {
    return !this.#live.hidden
  }

  /**
   * Turns to an item.
   * @param {{title: string, address: () => string, learn: () => Promise<{file?: string, kind?: string} | undefined>}} item `learn` tells
   * more of it, and what its `address` is.
   */
  async show({ title, address, learn }) {
    this.clear()
    const { signal } = this.#asked
    const known = (await offers('/items/{i}/video')) ? await learn() : undefined
    if (signal.aborted) return
    this.#address = address()
    this.#video.setAttribute('aria-label', title)
    if (isVideo(known?.file)) {
      this.#video.controls = true
      this.#video.hidden = false
      this.#video.src = this.#address
    } else if (known?.kind) this.#live.hidden = false
  }

  /** Stops, and lets the film go. */
  clear() {
    this.#asked.abort()
    this.#asked = new AbortController()
    this.#problem.hidden = true
    this.#unload()
  }

  /** Plays a video or pauses it; returns whether there is one. */
  toggle() {
    if (this.#video.hidden || !this.#video.controls) return false
    if (this.isPlaying) this.#video.pause()
    else this.#play()
    return true
  }

  /** Without its address a film is loaded no further. */
  #unload() {
    this.#release()
    if (this.#live.matches(':focus') || this.#video.matches(':focus')) this.#frame.focus() // what is hidden hears no keys
    this.#live.hidden = true
    this.#video.hidden = true
    this.#video.controls = false
    delete this.#video.dataset.ready
    if (!this.#video.hasAttribute('src')) return
    this.#video.removeAttribute('src')
    this.#video.load()
  }

  #fail() {
    this.#unload()
    this.#problem.querySelector('a').href = this.#address
    this.#problem.hidden = false
  }

  /** Plays; without sound where the browser allows it with none only. */
  async #play() {
    try {
      await this.#video.play()
    } catch (error) {
      if (error.name !== 'NotAllowedError' || this.#video.muted) return
      this.#video.muted = true
      this.#play()
    }
  }

  /** Plays the film of a photo until it is released. */
  #hold() {
    if (!this.#isLive || this.#isHeld) return
    this.#isHeld = true
    this.#live.setAttribute('aria-pressed', 'true')
    if (!this.#video.hasAttribute('src')) this.#video.src = this.#address
    this.#video.currentTime = 0
    this.#video.hidden = false
    this.#play()
  }

  #release() {
    clearTimeout(this.#rest)
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#live.setAttribute('aria-pressed', 'false')
    this.#video.pause()
    this.#video.hidden = true
  }

  #hearButton() {
    let isPressed = false // by a pointer: the click after it means nothing
    this.#live.addEventListener('pointerdown', (event) => {
      if (event.button > 0) return
      isPressed = true
      this.#live.setPointerCapture(event.pointerId)
      this.#hold()
    })
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture', 'blur']) this.#live.addEventListener(type, () => this.#release())
    this.#live.addEventListener('contextmenu', (event) => event.preventDefault())
    this.#live.addEventListener('keydown', (event) => {
      if (event.key !== ' ' && event.key !== 'Enter') return
      event.preventDefault()
      if (!event.repeat) this.#hold()
    })
    this.#live.addEventListener('keyup', (event) => {
      if (event.key !== ' ' && event.key !== 'Enter') return
      event.preventDefault()
      this.#release()
    })
    // A screen reader cannot hold: for it the film plays to its end.
    this.#live.addEventListener('click', () => {
      if (!isPressed) this.#isHeld ? this.#release() : this.#hold()
      isPressed = false
    })
  }

  #hearFinger(/** @type {HTMLElement} */ frame) {
    frame.addEventListener('pointerdown', ({ pointerType, isPrimary, clientX, clientY }) => {
      this.#release()
      this.hasRested = false
      if (!this.#isLive || pointerType !== 'touch' || !isPrimary || stillness.matches) return
      this.#from = { x: clientX, y: clientY }
      this.#rest = setTimeout(() => {
        this.hasRested = true
        this.#hold()
      }, REST)
    })
    frame.addEventListener('pointermove', ({ clientX, clientY }) => {
      if (Math.hypot(clientX - this.#from.x, clientY - this.#from.y) > STILL) clearTimeout(this.#rest)
    })
    for (const type of ['pointerup', 'pointercancel']) frame.addEventListener(type, () => this.#release())
    frame.addEventListener('contextmenu', (event) => this.hasRested && event.preventDefault())
  }
}
