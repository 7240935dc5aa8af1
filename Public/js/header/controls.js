// Layout, policy and prefetching: what the person chose, and what the session says is so.

import { policyTitle } from '../dashboard/policies.js'
import { kindIn } from '../layout/layout-options.js'
import { parameter, setParameters, wishesInAddress } from '../page/address-bar.js'
import { get } from '../session/api.js'

export class Controls {
  /** The session options a person chose: `{policy, prefetching}`. */
  wishes = wishesInAddress()
  #select
  #meaning
  #box
  #known = false // the policies have been asked for
  #kinds
  #source = '' // of the gallery
  #summaries = new Map() // of the policies, by name

  /** `byId(id)` finds the group of buttons for the layout, the menu of policies and the switch; `change(changes)` changes the session, `changeLayout(kind)` the layout. */
  constructor(byId, { change, changeLayout }) {
    const [layout, policy, meaning, prefetching] = ['layout', 'policy', 'policy-meaning', 'prefetching'].map(byId)
    this.#select = policy
    this.#meaning = meaning
    this.#box = prefetching
    this.#kinds = [...layout.elements]
    this.#choose(kindIn(parameter('layout')))
    layout.addEventListener('change', () => {
      setParameters({ layout: this.layout === kindIn(null, this.#source) ? null : this.layout })
      changeLayout(this.layout)
    })
    policy.addEventListener('change', () => {
      this.wishes.policy = policy.value
      setParameters({ policy: policy.value })
      this.#explain()
      change({ policy: policy.value })
    })
    prefetching.addEventListener('change', () => {
      this.wishes.prefetching = prefetching.checked
      setParameters({ prefetching: prefetching.checked ? null : 'off' })
      change({ prefetching: prefetching.checked })
    })
  }

  #choose(kind) {
    for (const button of this.#kinds) button.checked = button.value === kind
  }

  /** The layout of a gallery: that of the address, or the usual one for its source. */
  layoutOf({ source }) {
    this.#source = source
    this.#choose(kindIn(parameter('layout'), source))
    return this.layout
  }

  get layout() {
    return this.#kinds.find(({ checked }) => checked)?.value ?? 'grid'
  }

  /** Shows what the session says. */
  show({ policy, prefetching }) {
    this.#box.checked = prefetching
    if (![...this.#select.options].some((option) => option.value === policy)) this.#select.add(new Option(policyTitle(policy), policy))
    this.#select.value = policy
    this.#explain()
    if (!this.#known) this.#learn()
  }

  async #learn() {
    this.#known = true
    try {
      const { policies } = await get('api/v1/policies')
      const chosen = this.#select.value
      this.#summaries = new Map(policies.map(({ name, summary }) => [name, summary ?? '']))
      this.#select.replaceChildren(...policies.map(({ name }) => new Option(policyTitle(name), name)))
      this.#select.value = chosen
      this.#explain()
    } catch {
      this.#known = false // asked again with the next session
    }
  }

  #explain() {
    this.#meaning.textContent = this.#summaries?.get(this.#select.value) ?? ''
  }
}
