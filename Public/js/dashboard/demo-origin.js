// Controls of the demo's network: delays and failures, changed while it runs. The address stores the values, so that a demo can be
// prepared and linked. A network from the address applies only to the sessions of its own page. Hidden if there is no demo.

import { networkInAddress, setParameters } from '../page/address-bar.js'
import { get, patch } from '../session/api.js'

const PATH = 'api/v1/demo/origin'

/** Returns the conditions of the demo's network for this page. Values in the address override the server's. */
export async function learnConditions() {
  const { conditions } = await get(PATH)
  return { ...conditions, ...networkInAddress().network }
}

export class DemoOrigin {
  #root
  #inputs
  #session

  /** `session()` returns the page's session, or null. */
  constructor(root, session) {
    this.#root = root
    this.#session = session
    this.#inputs = [...root.querySelectorAll('input')]
    for (const input of this.#inputs) {
      input.addEventListener('input', () => this.#write(input))
      input.addEventListener('change', () => this.#change(input.name, scale(input)))
    }
  }

  async learn() {
    try {
      const { conditions, isChangeable } = await get(PATH)
      const known = { ...conditions, ...(this.#hasOwnNetwork ? networkInAddress().network : {}) }
      for (const input of this.#inputs) {
        input.disabled = !isChangeable && !this.#isOwn(input.name)
        const value = known[input.name] ?? 1000
        input.value = input.dataset.power ? Math.log10(Math.max(value, 1)) : value
        this.#write(input, value)
      }
      this.#root.hidden = false
    } catch {
      this.#root.hidden = true
    }
  }

  get #hasOwnNetwork() {
    return this.#session()?.share !== undefined
  }

  /** Whether a slider affects only this page. The server's limit of concurrent downloads affects everyone. */
  #isOwn(name) {
    return name !== 'concurrency' && this.#hasOwnNetwork
  }

  async #change(name, value) {
    if (name !== 'concurrency') setParameters({ [name]: value })
    try {
      if (this.#isOwn(name)) await patch(`api/v1/sessions/${encodeURIComponent(this.#session().id)}`, { network: { [name]: value } })
      else await patch(PATH, { [name]: value })
    } catch {
      this.learn()
    }
  }

  #write(input, value = scale(input)) {
    const text = input.name === 'failureRate' ? `${Math.round(value * 100)}%` : `${Number(value.toPrecision(3))}\u00a0${input.dataset.unit ?? ''}`
    input.closest('label').querySelector('output').textContent = text
    input.setAttribute('aria-valuetext', text)
  }
}

const scale = (input) => (input.dataset.power ? Math.round(10 ** Number(input.value)) : Number(input.value))
