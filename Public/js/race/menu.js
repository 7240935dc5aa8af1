// The menu of a race: policies and scroll. The choice is stored in the address.

import { learnConditions } from '../dashboard/demo-origin.js'
import { networkInAddress, parameter, setParameters } from '../page/address-bar.js'
import { copyText } from '../page/clipboard.js'
import { get } from '../session/api.js'
import { SCROLLS } from './scrolls.js'
import { RACES, side, sidesInAddress } from './setup.js'

const BYTES = 120e6 // bytes that a side may download from other sites. The server stops at 128 MiB

export class Menu {
  #conditions = null // of the demo's origin
  #source = '' // of the gallery: demo, folder, list, upload
  #own
  #race
  #sides
  #scroll

  /** `changed()` is called after each change of the choice. */
  constructor(dialog, changed) {
    const part = (name) => dialog.querySelector(`[data-part="${name}"]`)
    this.#own = [...dialog.querySelectorAll('[data-part="own"]')]
    this.#race = part('race')
    this.#sides = [part('left'), part('right')]
    this.#scroll = part('scroll')
    this.#race.replaceChildren(...RACES.map(({ title, sides }) => new Option(title, sides.join())), new Option('Any two policies…', 'own'))
    this.#scroll.replaceChildren(...SCROLLS.map(([name, title]) => new Option(title, name)), new Option('Your own scrolling', 'own'), new Option('Your last scroll', 'recorded'))
    this.#race.addEventListener('change', () => {
      if (this.#race.value !== 'own') this.#choose(this.#race.value.split(','))
      this.#reveal()
      this.write()
      changed()
    })
    for (const select of [...this.#sides, this.#scroll]) select.addEventListener('change', () => (this.write(), changed()))
    part('link').addEventListener('click', async () => {
      const link = part('link')
      link.textContent = (await copyText(location.href)) ? 'Link copied' : 'Copy the address instead'
      setTimeout(() => (link.textContent = 'Copy link'), 2000)
    })
  }

  /** Loads the policies and the network of a gallery, and applies the choice in the address. */
  async learn({ source }) {
    this.#source = source
    const { policies } = await get('api/v1/policies')
    for (const select of this.#sides) {
      select.replaceChildren(...policies.flatMap(({ name }) => [new Option(side(name).name, name), new Option(side(`${name}:off`).name, `${name}:off`)]))
    }
    const known = (text) => policies.some(({ name }) => name === side(text).policy)
    const chosen = sidesInAddress(parameter('race'))
    this.#choose(chosen?.every(known) ? chosen : RACES[0].sides)
    const scroll = parameter('trace')
    if ([...this.#scroll.options].some((option) => option.value === scroll)) this.#scroll.value = scroll
    this.#reveal()
    await this.prepare()
  }

  /** Loads the conditions of the demo's network for this page. */
  async prepare() {
    this.#conditions = this.#source === 'demo' ? await learnConditions() : null
  }

  /** Text in the dialog for the shared source of both sides: `files` or `network`. */
  get source() {
    return this.#source === 'folder' ? 'files' : 'network'
  }

  /** Session options of one side: half of the demo's network, or a cold start for other sources. */
  get line() {
    return this.#source === 'demo' ? { share: 0.5, ...networkInAddress() } : { cold: true }
  }

  /** Bandwidth of one side in Mbit/s. Infinity if unlimited or unknown. */
  get bandwidth() {
    return (this.#conditions?.bandwidth ?? Infinity) / 2
  }

  /** Bytes downloaded by one side after which the race ends, to spare other sites. */
  get byteLimit() {
    return this.#source === 'demo' || this.#source === 'folder' ? Infinity : BYTES
  }

  /** Adds and selects a scroll. `name` and `fragment` are its parts of the address. Replaces an earlier scroll with the same name. */
  offer(name, title, fragment = '') {
    let option = [...this.#scroll.options].find((option) => option.value === name)
    if (!option) this.#scroll.add((option = new Option('', name)))
    option.textContent = title
    option.dataset.fragment = fragment
    this.#scroll.value = name
  }

  get choice() {
    return { sides: this.#sides.map((select) => side(select.value || RACES[0].sides[0])), scroll: this.#scroll.value }
  }

  /** The conditions of the race as text. */
  get terms() {
    if (this.#source === 'folder') return 'Both sides read the same files, share the same processors, and start with nothing cached.'
    if (!this.#conditions) return `Both sides download from the same sites, at most ${BYTES / 1e6}\u00a0MB each, and start with nothing cached.`
    const { latency, bandwidth } = this.#conditions
    const share = bandwidth === null ? 'unlimited bandwidth' : `${Number((bandwidth / 2).toFixed(2))} of ${Number(bandwidth.toFixed(2))}\u00a0Mbit/s`
    return `Each side gets ${share} at ${Math.round(latency)}\u00a0ms latency, and starts with nothing cached.`
  }

  #choose(sides) {
    this.#sides.forEach((select, index) => (select.value = sides[index]))
    const ready = RACES.find((race) => race.sides.join() === sides.join())
    this.#race.value = ready ? ready.sides.join() : 'own'
  }

  #reveal() {
    for (const label of this.#own) label.hidden = this.#race.value !== 'own'
  }

  write() {
    const { value, selectedOptions: [option] } = this.#scroll
    setParameters({ race: this.#sides.map((select) => select.value).join(), trace: value }, { fragment: option?.dataset.fragment ?? '' })
  }
}
