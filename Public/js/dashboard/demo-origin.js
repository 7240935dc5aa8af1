// The demo's origin: how slow and how broken it is, changed while it runs, and held in the address so that a demo can be
// prepared and linked. Absent where there is no demo.

import { parameter, setParameters } from '../page/address-bar.js'
import { get, patch } from '../session/api.js'

const PATH = 'api/v1/demo/origin'
const CONDITIONS = ['latency', 'bandwidth', 'failureRate', 'concurrency']

/** The origin's options in the address. */
export function originInAddress() {
  const changes = {}
  for (const name of CONDITIONS) {
    const value = parameter(name)
    if (value && Number.isFinite(Number(value))) changes[name] = Number(value)
  }
  return changes
}

/** Brings the origin to what the address asks for, where the viewer may change it; resolves to its state. */
export async function prepareOrigin() {
  const changes = originInAddress()
  const origin = await get(PATH)
  return origin.isChangeable && Object.keys(changes).length ? patch(PATH, changes) : origin
}

export class DemoOrigin {
  #root
  #inputs

  constructor(root) {
    this.#root = root
    this.#inputs = [...root.querySelectorAll('input')]
    for (const input of this.#inputs) {
      input.addEventListener('input', () => this.#write(input))
      input.addEventListener('change', () => this.#change(input.name, scale(input)))
    }
    if (Object.keys(originInAddress()).length) prepareOrigin().catch(() => {})
  }

  async learn() {
    try {
      const { conditions, isChangeable } = await prepareOrigin()
      for (const input of this.#inputs) {
        input.disabled = !isChangeable
        const value = conditions[input.name] ?? 1000
        input.value = input.dataset.power ? Math.log10(Math.max(value, 1)) : value
        this.#write(input, value)
      }
      this.#root.hidden = false
    } catch {
      this.#root.hidden = true
    }
  }

  async #change(name, value) {
    setParameters({ [name]: value })
    try {
      await patch(PATH, { [name]: value })
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
