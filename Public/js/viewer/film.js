// The film of an item. A video plays with its controls. A Live Photo or motion photo plays while the person holds it.

import { isEmbedded } from '../session/api.js'
import { offers } from '../session/offers.js'

const VIDEO = /\.(mp4|m4v|mov|3gp)$/i
const HOLD = 300 // ms a finger must be held on the picture before it plays
const STILL = 10 // px that a held finger may move

const stillness = matchMedia('(prefers-reduced-motion: reduce)')

export const isVideo = (/** @type {string | undefined} */ file) => VIDEO.test(file ?? '')

export class Film {
  /** Whether the last touch of the picture was a long press, not a tap or a swipe. */
  wasLongPress = false
  /** @type {HTMLVideoElement} */
  #video
  /** @type {HTMLButtonElement} */
  #live
  #problem
  #frame
  #address = ''
  #request = new AbortController() // for the data of the open item
  #isHeld = false
  #holdTimer = 0
  #from = { x: 0, y: 0 }

  /**
   * @param {(name: string) => any} part Returns an element of the viewer.
   * @param {{changed: () => void}} options `changed()` is called when playback starts or stops.
   */
  constructor(part, { changed }) {
    ;[this.#video, this.#live, this.#problem, this.#frame] = ['film', 'live', 'film-problem', 'frame'].map(part)
    if (isEmbedded) this.#video.crossOrigin = 'use-credentials'
    for (const type of ['play', 'pause', 'ended', 'emptied']) this.#video.addEventListener(type, changed)
    this.#video.addEventListener('loadeddata', () => (this.#video.dataset.ready = 'true'))
    this.#video.addEventListener('error', () => this.#video.hasAttribute('src') && this.#fail())
    this.#video.addEventListener('ended', () => this.#isLive && this.#release())
    this.#listenToButton()
    this.#listenToFinger(this.#frame)
  }

  get isPlaying() {
    return !this.#video.paused
  }

  get #isLive() {
    return !this.#live.hidden
  }

  /**
   * Prepares the film of an item, if it has one.
   * @param {{title: string, address: () => string, learn: () => Promise<{file?: string, kind?: string} | undefined>}} item `learn` loads
   * the item's data. `address` returns the film's address and is called after `learn`.
   */
  async show({ title, address, learn }) {
    this.clear()
    const { signal } = this.#request
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

  /** Stops playback and unloads the film. */
  clear() {
    this.#request.abort()
    this.#request = new AbortController()
    this.#problem.hidden = true
    this.#unload()
  }

  /** Plays or pauses a video. Returns false if the item is no video. */
  toggle() {
    if (this.#video.hidden || !this.#video.controls) return false
    if (this.isPlaying) this.#video.pause()
    else this.#play()
    return true
  }

  /** Unloads the film. Removing the address stops the download. */
  #unload() {
    this.#release()
    if (this.#live.matches(':focus') || this.#video.matches(':focus')) this.#frame.focus() // a hidden element receives no key events
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

  /** Plays the film. Mutes it if the browser allows only muted playback. */
  async #play() {
    try {
      await this.#video.play()
    } catch (error) {
      if (error.name !== 'NotAllowedError' || this.#video.muted) return
      this.#video.muted = true
      this.#play()
    }
  }

  /** Plays the film of a photo until `#release()`. */
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
    clearTimeout(this.#holdTimer)
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#live.setAttribute('aria-pressed', 'false')
    this.#video.pause()
    this.#video.hidden = true
  }

  #listenToButton() {
    let isPressed = false // by a pointer: ignore the click that follows
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
    // Screen reader users cannot hold the button: a click plays the film to its end.
    this.#live.addEventListener('click', () => {
      if (!isPressed) this.#isHeld ? this.#release() : this.#hold()
      isPressed = false
    })
  }

  #listenToFinger(/** @type {HTMLElement} */ frame) {
    frame.addEventListener('pointerdown', ({ pointerType, isPrimary, clientX, clientY }) => {
      this.#release()
      this.wasLongPress = false
      if (!this.#isLive || pointerType !== 'touch' || !isPrimary || stillness.matches) return
      this.#from = { x: clientX, y: clientY }
      this.#holdTimer = setTimeout(() => {
        this.wasLongPress = true
        this.#hold()
      }, HOLD)
    })
    frame.addEventListener('pointermove', ({ clientX, clientY }) => {
      if (Math.hypot(clientX - this.#from.x, clientY - this.#from.y) > STILL) clearTimeout(this.#holdTimer)
    })
    for (const type of ['pointerup', 'pointercancel']) frame.addEventListener(type, () => this.#release())
    frame.addEventListener('contextmenu', (event) => this.wasLongPress && event.preventDefault())
  }
}
