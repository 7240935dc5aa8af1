// Share of the network's bandwidth that downloads used while visible cells were blank. Computed from the `stats` of each second.

const FULL = 0.85 // of the bandwidth
const LITTLE = 0.02 // blank share that needs no explanation
const MUCH = 0.2 // blank share

export class LineUse {
  #last = null // the previous `stats`
  #seconds = [] // { time, bytes, duration }: received bytes and ms, both multiplied by the blank share

  /** Adds the `stats` of a second. A session with its own network counts its own bytes. Otherwise the server's total is used. */
  add(stats) {
    const last = this.#last
    this.#last = stats
    if (!last || stats.time <= last.time) return
    const duration = stats.time - last.time
    const seen = stats.visibleTime - last.visibleTime
    const blank = seen > 0 ? (stats.blankTime - last.blankTime) / seen : 0
    const isOwn = stats.counts.fetchedBytes !== undefined
    const bytes = isOwn ? stats.counts.fetchedBytes - last.counts.fetchedBytes : (stats.server.bytesPerSecond * duration) / 1000
    this.#seconds.push({ time: stats.time, bytes: blank * bytes, duration: blank * duration })
    if (this.#seconds.length > 120) this.#seconds.shift()
  }

  /** Returns the used share (0 … 1) of a bandwidth in Mbit/s over the last `duration` ms. NaN if nothing was blank or without a limit. */
  share(bandwidth, duration = Infinity) {
    const recent = this.#seconds.filter(({ time }) => time > this.#seconds.at(-1).time - duration)
    const sum = (name) => recent.reduce((all, second) => all + second[name], 0)
    const room = sum('duration') * bandwidth * 125 // 1 Mbit/s is 125 bytes per ms
    return room > 0 && Number.isFinite(room) ? Math.min(1, sum('bytes') / room) : NaN
  }
}

/**
 * Whether the network was the limit: downloads used its bandwidth, and a share `blank` (0 … 1) of the cells was blank. If the two sides
 * did not perform alike (`isAlike`), even the better side must have much blank. Otherwise the network was not the limit.
 */
export const wasLimit = (use, blank, isAlike) => use >= FULL && blank >= (isAlike ? LITTLE : MUCH)
