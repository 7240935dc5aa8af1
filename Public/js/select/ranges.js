// A set of items, stored as ranges: a million selected pictures need only one pair of numbers.

/** @typedef {{from: number, to: number}} Range from ..< to */

export class Ranges {
  /** @type {readonly Range[]} Sorted. No range is empty or touches the next. */
  list

  /** @param {readonly Range[]} list */
  constructor(list = []) {
    this.list = list
  }

  /** Creates ranges from single items in any order. */
  static of(/** @type {number[]} */ items) {
    // Add runs of neighbours, not single items: each addition scans all ranges.
    const sorted = [...items].sort((one, other) => one - other)
    let ranges = new Ranges()
    let from = 0
    for (let at = 1; at <= sorted.length; at++) {
      if (sorted[at] === sorted[at - 1] + 1) continue
      ranges = ranges.adding(sorted[from], sorted[at - 1] + 1)
      from = at
    }
    return ranges
  }

  get count() {
    return this.list.reduce((sum, { from, to }) => sum + to - from, 0)
  }

  has(/** @type {number} */ item) {
    let [low, high] = [0, this.list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.list[middle].to <= item) low = middle + 1
      else high = middle
    }
    return low < this.list.length && this.list[low].from <= item
  }

  hasAll(/** @type {number} */ from, /** @type {number} */ to) {
    return from >= to || this.list.some((range) => range.from <= from && to <= range.to)
  }

  adding(/** @type {number} */ from, /** @type {number} */ to) {
    if (from >= to) return this
    const before = this.list.filter((range) => range.to < from)
    const after = this.list.filter((range) => range.from > to)
    const touched = this.list.slice(before.length, this.list.length - after.length)
    const united = { from: Math.min(from, touched[0]?.from ?? from), to: Math.max(to, touched.at(-1)?.to ?? to) }
    return new Ranges([...before, united, ...after])
  }

  removing(/** @type {number} */ from, /** @type {number} */ to) {
    if (from >= to) return this
    return new Ranges(this.list.flatMap((range) => {
      if (range.to <= from || range.from >= to) return [range]
      return [{ from: range.from, to: Math.min(range.to, from) }, { from: Math.max(range.from, to), to: range.to }].filter((part) => part.from < part.to)
    }))
  }

  /** Returns the set with an item added, or removed if the set contains it. */
  toggling(/** @type {number} */ item) {
    return this.has(item) ? this.removing(item, item + 1) : this.adding(item, item + 1)
  }

  /** Returns the first items of the set, at most `maximum`. */
  first(/** @type {number} */ maximum) {
    const items = []
    for (const { from, to } of this.list) {
      for (let item = from; item < to; item++) {
        if (items.length === maximum) return items
        items.push(item)
      }
    }
    return items
  }
}

/**
 * The selected items. A press toggles one item. A press with Shift selects all items from the last toggled one. Another press with Shift
 * replaces the items that the one before added.
 */
export class SelectedItems {
  ranges = new Ranges()
  #anchor = -1 // the item from which Shift extends the selection
  #fixed = new Ranges() // the selection before Shift

  /** Adds or removes an item. The next press with Shift extends from it. */
  toggle(/** @type {number} */ item) {
    this.ranges = this.ranges.toggling(item)
    this.#anchor = item
    this.#fixed = this.ranges
  }

  /** Adds a range, or removes it if all its items are selected. */
  toggleRange(/** @type {number} */ from, /** @type {number} */ to) {
    this.take(this.ranges.hasAll(from, to) ? this.ranges.removing(from, to) : this.ranges.adding(from, to))
  }

  /** Selects all items from the last toggled item to `item`; from `from` if no item was toggled. */
  extend(/** @type {number} */ item, from = item) {
    if (this.#anchor < 0) {
      this.#anchor = from
      this.#fixed = this.ranges
    }
    this.ranges = this.#fixed.adding(Math.min(this.#anchor, item), Math.max(this.#anchor, item) + 1)
  }

  take(/** @type {Ranges} */ ranges) {
    this.ranges = this.#fixed = ranges
    this.#anchor = -1
  }

  all(/** @type {number} */ itemCount) {
    this.ranges = this.#fixed = new Ranges().adding(0, itemCount)
    this.#anchor = 0
  }

  clear() {
    this.ranges = this.#fixed = new Ranges()
    this.#anchor = -1
  }
}
