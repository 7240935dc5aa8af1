// Controls for layout, policy and prefetching. They show the state of the session, and store the person's choices in the address.

import { policyTitle } from '../dashboard/policies.js'
import { kindIn } from '../layout/layout-options.js'
import { parameter, setParameters, wishesInAddress } from '../page/address-bar.js'
import { get } from '../session/api.js'

export class Controls {
  /** Session options that the person chose: `{policy, prefetching}`. */
  wishes = wishesInAddress()
  #select
  #meaning
  #box
  #known = false // whether the policies have been requested
  #kinds
  #source = '' // source of the gallery
  #summaries = new Map() // summaries of the policies, by name

  /** `byId(id)` finds the controls. `change(changes)` changes the session, `changeLayout(kind)` the layout. */
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

  /** Returns the kind of layout for a gallery: the one in the address, or the default for the gallery's source. */
  layoutOf({ source }) {
    this.#source = source
    this.#choose(kindIn(parameter('layout'), source))
    return this.layout
  }

  get layout() {
    return this.#kinds.find(({ checked }) => checked)?.value ?? 'grid'
  }

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
      this.#known = false // the next session requests the policies again
    }
  }

  #explain() {
    this.#meaning.textContent = this.#summaries?.get(this.#select.value) ?? ''
  }
}
