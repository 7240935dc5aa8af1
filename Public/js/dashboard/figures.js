// The figures of the dashboard: the numbers of the last second.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

export const percent = (share) => `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}%`

/**
 * The definitions of the figures. `remark` says which direction is better, or the unit.
 * @type {[name: string, label: string, way: string, format: (value: number) => string, meaning: string][]}
 */
const figures = [
  ['hits', 'Loaded on arrival', 'higher is better', percent, 'Cells that were loaded when they came into view'],
  ['blank', 'Blank', 'lower is better', percent, 'How much of the last second the cells in view were not loaded: blurred or empty'],
  ['empty', 'Empty', 'lower is better', percent, 'How much of the last second the cells in view were empty: without even a blur of their picture'],
  ['wasted', 'Fetched but never viewed', 'lower is better', percent, 'Pictures sent to this page that have not been in view so far'],
  ['latency', 'First byte', 'lower is better', (n) => `${n < 10 ? n.toFixed(1) : whole.format(n)}\u00a0ms`, 'From requesting a picture at its source to the first byte'],
  ['downloads', 'Downloads', 'per second', (n) => whole.format(n), 'Pictures the server downloaded in the last second, for all viewers'],
  ['elsewhere', 'From another server', 'per second', (n) => whole.format(n), 'Pictures taken in the last second from another server instead of being downloaded'],
  ['cancels', 'Cancelled', 'per second', (n) => whole.format(n), 'Pictures cancelled in the last second because you moved on, which makes room for others'],
]

/** Figures shown only after their first number, because there may never be one. */
const rare = new Set(['elsewhere'])

export class Figures {
  #root
  #values = new Map()

  constructor(root) {
    this.#root = root
    for (const figure of figures) if (!rare.has(figure[0])) this.#show(figure)
  }

  /** @param {typeof figures[number]} figure */
  #show([name, label, remark, , meaning]) {
    const figure = document.createElement('div')
    figure.className = 'figure'
    figure.tabIndex = 0
    const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text })
    const value = make('b', '–')
    figure.append(make('span', label), value, make('em', remark), make('small', meaning))
    this.#root.append(figure)
    this.#values.set(name, value)
  }

  /** Shows the numbers of a second, by name. A number that is not finite leaves the last one, unless there was none. */
  add(sample) {
    for (const figure of figures) {
      const [name, , , format] = figure
      if (!Number.isFinite(sample[name])) continue
      if (!this.#values.has(name)) this.#show(figure)
      this.#values.get(name).textContent = format(sample[name])
    }
  }

  /** Clears all figures because the server does not respond. */
  clear() {
    for (const value of this.#values.values()) value.textContent = '–'
  }
}
