// The ThumbHashes of pictures, so that a cell shows a blur before its picture has loaded. Hashes are fetched ahead of the visible rows,
// for places that the person is about to view, and in idle time for as much of the gallery as fits in memory. The server sends 25 bytes
// for each picture, zeros if its hash is unknown.

import { address } from '../session/api.js'

const STRIDE = 25 // bytes per hash. Shorter hashes are followed by zeros
const BLOCK = 64 // items per block
const CACHED = 2048 // blocks in the cache: 131,072 items, 3.3 MB
const AT_ONCE = 3 // maximum concurrent requests for visible or soon visible items. Others wait, the latest is next
const SPAN = 8 // maximum blocks per request
const AHEAD = 3 // screens that are fetched ahead in the direction of the movement
const STALE = 10_000 // ms after which a block with unknown hashes is requested again

/** @typedef {{bytes: Uint8Array, askedAt: number, isWhole: boolean}} Block `askedAt` in ms, -Infinity if never requested. */

export class Placeholders {
  /** Called when the hashes of a range of items have arrived. */
  arrived = (/** @type {{from: number, to: number}} */ _range) => {}
  #gallery = ''
  #itemCount = 0
  /** @type {Map<number, Block>} by number, the least recently used first */
  #blocks = new Map()
  /** @type {Set<number>} blocks being loaded */
  #loading = new Set()
  /** @type {{from: number, to: number}[]} ranges of blocks to be loaded, the latest last */
  #waiting = []
  #running = 0
  #turn = 0 // incremented with each gallery
  #filling = new AbortController()
  #isFilling = false

  /** Switches to another gallery. The caller has cleared the hashes or renumbered them with `move`. */
  begin({ id, itemCount }) {
    if (id === this.#gallery && itemCount === this.#itemCount) return
    this.#forgetRequests()
    this.#gallery = id
    this.#itemCount = itemCount
  }

  /** Returns the hash of an item, 25 bytes, or null if unknown. */
  hash(item) {
    const block = this.#blocks.get(Math.floor(item / BLOCK))
    if (!block) return null
    const start = (item % BLOCK) * STRIDE
    return block.bytes[start + 3] & 7 ? block.bytes.subarray(start, start + STRIDE) : null
  }

  /** Stores the base64 hash that arrived with a picture. */
  learn(item, /** @type {string} */ base64) {
    let text
    try {
      text = atob(base64)
    } catch {
      return
    }
    if (text.length < 5 || text.length > STRIDE) return
    const { bytes } = this.#block(Math.floor(item / BLOCK))
    for (let index = 0; index < STRIDE; index++) bytes[(item % BLOCK) * STRIDE + index] = index < text.length ? text.charCodeAt(index) : 0
  }

  /** Fetches the hashes of visible items and of the next items in the direction of the movement `movement` (px, 0 for both directions). */
  saw({ from, to }, movement) {
    const count = Math.max(1, to - from)
    const [behind, ahead] = movement === 0 ? [1, 1] : movement > 0 ? [0, AHEAD] : [AHEAD, 0]
    this.#await(from - behind * count, to + ahead * count)
    this.#await(from, to)
    this.#serve()
  }

  /** Fetches the hashes of items that will soon be visible. */
  want({ from, to }) {
    this.#await(from, to)
    this.#serve()
  }

  #await(from, to) {
    const [first, end] = this.#within(from, to)
    if (!this.#lacking({ from: first, to: end })) return
    this.#waiting.push({ from: first, to: end })
    if (this.#waiting.length > 2 * AT_ONCE) this.#waiting.shift()
  }

  /** Fetches hashes in idle time, from these items outwards, until the cache is full or `stop` is called. */
  async fill({ from, to }) {
    if (this.#isFilling || !this.#gallery) return
    this.#isFilling = true
    const filling = (this.#filling = new AbortController())
    try {
      for (const span of this.#outwards(from, to)) {
        if (filling.signal.aborted) break
        if (!(await this.#fetch(span, filling.signal))) break
      }
    } finally {
      this.#isFilling = false
    }
  }

  /** Stops `fill`. Call this when other requests are more important. */
  stop() {
    this.#filling.abort()
  }

  /** Renumbers the hashes: `to(item)` returns the new number, or null to drop a hash. */
  move(to) {
    const former = this.#blocks
    this.clear()
    for (const [number, { bytes }] of former) {
      for (let index = 0; index < BLOCK; index++) {
        const start = index * STRIDE
        if (!(bytes[start + 3] & 7)) continue
        const item = to(number * BLOCK + index)
        if (item !== null) this.#block(Math.floor(item / BLOCK)).bytes.set(bytes.subarray(start, start + STRIDE), (item % BLOCK) * STRIDE)
      }
    }
  }

  clear() {
    this.#forgetRequests()
    this.#blocks = new Map()
  }

  #forgetRequests() {
    this.#turn += 1
    this.stop()
    this.#loading.clear()
    this.#waiting = []
  }

  #within(from, to) {
    return [Math.max(0, Math.floor(from / BLOCK)), Math.ceil(Math.min(to, this.#itemCount) / BLOCK)]
  }

  /** Returns the first blocks of a span that must be requested, at most `SPAN`. Null if there are none. */
  #lacking(span) {
    let { from, to } = span ?? { from: 0, to: 0 }
    while (from < to && !this.#isLacking(from)) from += 1
    if (from === to) return null
    const first = from
    while (from < to && from - first < SPAN && this.#isLacking(from)) from += 1
    return { from: first, to: from }
  }

  #isLacking(number) {
    if (this.#loading.has(number)) return false
    const block = this.#blocks.get(number)
    return !block || (!block.isWhole && performance.now() - block.askedAt > STALE)
  }

  #block(number) {
    const block = this.#blocks.get(number) ?? { bytes: new Uint8Array(BLOCK * STRIDE), askedAt: -Infinity, isWhole: false }
    this.#blocks.delete(number)
    this.#blocks.set(number, block)
    if (this.#blocks.size > CACHED) this.#blocks.delete(this.#blocks.keys().next().value)
    return block
  }

  #serve() {
    while (this.#running < AT_ONCE && this.#gallery) {
      const span = this.#lacking(this.#waiting.at(-1))
      if (!span) {
        if (!this.#waiting.pop()) return
        continue
      }
      this.#running += 1
      this.#fetch(span).finally(() => {
        this.#running -= 1
        this.#serve()
      })
    }
  }

  /** Yields spans of missing blocks, the nearest first, as many as fit in the cache. */
  *#outwards(from, to) {
    let [low, high] = this.#within(from, to)
    const blocks = Math.ceil(this.#itemCount / BLOCK)
    const room = CACHED - SPAN
    while ((low > 0 || high < blocks) && high - low < room) {
      if (high < blocks) {
        const span = { from: high, to: Math.min(high + SPAN, blocks) }
        high = span.to
        const lacking = this.#lacking(span)
        if (lacking) yield lacking
      }
      if (low > 0) {
        const span = { from: Math.max(0, low - SPAN), to: low }
        low = span.from
        const lacking = this.#lacking(span)
        if (lacking) yield lacking
      }
    }
  }

  /** Fetches a span of blocks. Resolves to whether the hashes arrived. */
  async #fetch(span, /** @type {AbortSignal | undefined} */ signal = undefined) {
    const turn = this.#turn
    const [from, count] = [span.from * BLOCK, (span.to - span.from) * BLOCK]
    for (const block of blocksOf(span)) this.#loading.add(block)
    try {
      const path = `api/v1/galleries/${encodeURIComponent(this.#gallery)}/placeholders?from=${from}&count=${count}`
      const options = { cache: 'no-store', credentials: 'include', priority: signal ? 'low' : 'auto', signal }
      const response = await fetch(address(path), /** @type {RequestInit} */ (options))
      if (!response.ok) return false
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (turn !== this.#turn) return false
      this.#take(from, bytes)
      return true
    } catch {
      return false // the connection reports the error. The hashes are requested again when they are next visible
    } finally {
      if (turn === this.#turn) for (const block of blocksOf(span)) this.#loading.delete(block)
    }
  }

  #take(from, bytes) {
    const count = Math.floor(bytes.length / STRIDE)
    for (let start = 0; start < count; start += BLOCK) {
      const block = this.#block((from + start) / BLOCK)
      block.askedAt = performance.now()
      block.isWhole = true
      for (let index = start; index < Math.min(start + BLOCK, count); index++) {
        if (bytes[index * STRIDE + 3] & 7) block.bytes.set(bytes.subarray(index * STRIDE, (index + 1) * STRIDE), (index - start) * STRIDE)
        else if (!(block.bytes[(index - start) * STRIDE + 3] & 7)) block.isWhole = false
      }
    }
    this.arrived({ from, to: from + count })
  }
}

function* blocksOf({ from, to }) {
  for (let block = from; block < to; block++) yield block
}
