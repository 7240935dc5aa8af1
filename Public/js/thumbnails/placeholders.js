// The ThumbHashes of the pictures around, so that a cell shows something of its picture before the picture comes. They are
// fetched ahead of the rows, where a hand is about to go, and while nothing else is to be done for as much of the gallery
// as there is room for. The server sends 25 bytes for each; zeros where it knows none.

import { address } from '../session/api.js'

const STRIDE = 25 // bytes of a hash, with the zeros that follow a shorter one
const BLOCK = 64 // items that are kept together
const KEPT = 2048 // blocks: 131,072 items, 3.3 MB
const AT_ONCE = 3 // requests on their way because somebody looks; the others wait, the latest first
const SPAN = 8 // blocks in one request, at most
const AHEAD = 3 // screens that are fetched before they are seen, the way the content moves
const STALE = 10_000 // ms after which a block with gaps is asked for again

/** @typedef {{bytes: Uint8Array, askedAt: number, isWhole: boolean}} Block `askedAt` in ms; -Infinity where the server was not asked. */

export class Placeholders {
  /** Told of items whose hashes have come: `{from, to}`. */
  came = (/** @type {{from: number, to: number}} */ _range) => {}
  #gallery = ''
  #itemCount = 0
  /** @type {Map<number, Block>} by number, the one used longest ago first */
  #blocks = new Map()
  /** @type {Set<number>} blocks that are on their way */
  #asked = new Set()
  /** @type {{from: number, to: number}[]} blocks that wait, the latest last */
  #waiting = []
  #running = 0
  #turn = 0 // rises with each gallery
  #filling = new AbortController()
  #isFilling = false

  /** Goes on with another gallery; what is held has been cleared, or has moved along. */
  begin({ id, itemCount }) {
    if (id === this.#gallery && itemCount === this.#itemCount) return
    this.#forgetRequests()
    this.#gallery = id
    this.#itemCount = itemCount
  }

  /** The hash of an item, 25 bytes; null while it is not known. */
  hash(item) {
    const block = this.#blocks.get(Math.floor(item / BLOCK))
    if (!block) return null
    const start = (item % BLOCK) * STRIDE
    return block.bytes[start + 3] & 7 ? block.bytes.subarray(start, start + STRIDE) : null
  }

  /** Takes the hash that came with a picture, in base64. */
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

  /** The content shows these items, and moves by `way`: the hashes of what comes next are fetched. */
  saw({ from, to }, way) {
    const count = Math.max(1, to - from)
    const [behind, ahead] = way === 0 ? [1, 1] : way > 0 ? [0, AHEAD] : [AHEAD, 0]
    this.#await(from - behind * count, to + ahead * count)
    this.#await(from, to)
    this.#serve()
  }

  /** Somebody is about to see these items. */
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

  /** Nothing moves, and all in sight is there: fetches what else there is room for, from these items outwards, until `stop`. */
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

  /** Something else goes first. */
  stop() {
    this.#filling.abort()
  }

  /** Gives each hash the number that `to(item)` says; null drops it. */
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
    this.#asked.clear()
    this.#waiting = []
  }

  #within(from, to) {
    return [Math.max(0, Math.floor(from / BLOCK)), Math.ceil(Math.min(to, this.#itemCount) / BLOCK)]
  }

  /** The first blocks of a span that are to be asked for, one after another; null where there are none. */
  #lacking(span) {
    let { from, to } = span ?? { from: 0, to: 0 }
    while (from < to && !this.#isLacking(from)) from += 1
    if (from === to) return null
    const first = from
    while (from < to && from - first < SPAN && this.#isLacking(from)) from += 1
    return { from: first, to: from }
  }

  #isLacking(number) {
    if (this.#asked.has(number)) return false
    const block = this.#blocks.get(number)
    return !block || (!block.isWhole && performance.now() - block.askedAt > STALE)
  }

  #block(number) {
    const block = this.#blocks.get(number) ?? { bytes: new Uint8Array(BLOCK * STRIDE), askedAt: -Infinity, isWhole: false }
    this.#blocks.delete(number)
    this.#blocks.set(number, block)
    if (this.#blocks.size > KEPT) this.#blocks.delete(this.#blocks.keys().next().value)
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

  /** Spans of blocks that are lacking, the nearest first, as many as there is room for. */
  *#outwards(from, to) {
    let [low, high] = this.#within(from, to)
    const blocks = Math.ceil(this.#itemCount / BLOCK)
    const room = KEPT - SPAN
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

  /** Resolves to whether they came. */
  async #fetch(span, /** @type {AbortSignal | undefined} */ signal = undefined) {
    const turn = this.#turn
    const [from, count] = [span.from * BLOCK, (span.to - span.from) * BLOCK]
    for (const block of blocksOf(span)) this.#asked.add(block)
    try {
      const path = `api/v1/galleries/${encodeURIComponent(this.#gallery)}/placeholders?from=${from}&count=${count}`
      const options = { cache: 'no-store', credentials: 'include', priority: signal ? 'low' : 'auto', signal }
      const answer = await fetch(address(path), /** @type {RequestInit} */ (options))
      if (!answer.ok) return false
      const bytes = new Uint8Array(await answer.arrayBuffer())
      if (turn !== this.#turn) return false
      this.#take(from, bytes)
      return true
    } catch {
      return false // the connection says why; they are asked for again when they are next in sight
    } finally {
      if (turn === this.#turn) for (const block of blocksOf(span)) this.#asked.delete(block)
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
    this.came({ from, to: from + count })
  }
}

function* blocksOf({ from, to }) {
  for (let block = from; block < to; block++) yield block
}
