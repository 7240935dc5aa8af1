// The demo's origin: how slow and how broken it is, changed while it runs. Absent where there is no demo.

import { get, patch } from './api.js'

export class Origin {
  constructor(root) {
    this.root = root
    this.inputs = [...root.querySelectorAll('input')]
    for (const input of this.inputs) {
      input.addEventListener('input', () => this.#write(input))
      input.addEventListener('change', () => patch('api/v1/demo/origin', { [input.name]: scale(input) }).catch(() => this.learn()))
    }
  }

  async learn() {
    try {
      const { conditions } = await get('api/v1/demo/origin')
      for (const input of this.inputs) {
        const value = conditions[input.name] ?? 1000
        input.value = input.dataset.power ? Math.log10(Math.max(value, 1)) : value
        this.#write(input)
      }
      this.root.hidden = false
    } catch {
      this.root.hidden = true
    }
  }

  #write(input) {
    const value = scale(input)
    const text = input.name === 'failureRate' ? `${Math.round(value * 100)} %` : `${Math.round(value)} ${input.dataset.unit}`
    input.closest('label').querySelector('output').textContent = text
  }
}

const scale = (input) => (input.dataset.power ? Math.round(10 ** Number(input.value)) : Number(input.value))
