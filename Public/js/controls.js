// Policy and prefetching: what the person chose, and what the session says is so.

import { get } from './api.js'
import { parameter, setParameters, wishesInAddress } from './address-bar.js'
import { kindIn } from './metrics.js'

export class Controls {
  constructor(root, change) {
    this.select = root.querySelector('#policy')
    this.box = root.querySelector('#prefetching')
    this.wishes = wishesInAddress()
    this.known = false
    this.kinds = root.querySelector('#layout')
    this.kinds.value = kindIn(parameter('layout'))
    this.kinds.addEventListener('change', () => {
      setParameters({ layout: this.layout === 'grid' ? null : this.layout })
      this.onLayout?.(this.layout)
    })
    this.select.addEventListener('change', () => {
      this.wishes.policy = this.select.value
      setParameters({ policy: this.select.value })
      this.#explain()
      change({ policy: this.select.value })
    })
    this.box.addEventListener('change', () => {
      this.wishes.prefetching = this.box.checked
      setParameters({ prefetching: this.box.checked ? null : 'off' })
      change({ prefetching: this.box.checked })
    })
  }

  get layout() {
    return this.kinds.value
  }

  get policy() {
    return this.select.value || '–'
  }

  /** Shows what the session says. */
  show({ policy, prefetching }) {
    this.box.checked = prefetching
    if (![...this.select.options].some((option) => option.value === policy)) this.select.add(new Option(policy, policy))
    this.select.value = policy
    this.#explain()
    if (!this.known) this.#learn()
  }

  async #learn() {
    this.known = true
    try {
      const { policies } = await get('api/v1/policies')
      const chosen = this.select.value
      this.select.replaceChildren(
        ...policies.map(({ name, summary }) => {
          const option = new Option(name, name)
          option.title = summary ?? ''
          return option
        }),
      )
      this.select.value = chosen
      this.#explain()
    } catch {
      this.known = false // asked again with the next session
    }
  }

  #explain() {
    this.select.title = this.select.selectedOptions[0]?.title ?? ''
  }
}
