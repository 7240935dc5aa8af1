// How much of the network's bandwidth downloads used while cells in view were blank, from the `stats` of each second.

const FULL = 0.85 // of the bandwidth
const LITTLE = 0.02 // of blank share: it needs no reason
const MUCH = 0.2 // of blank share

export class LineUse {
  #last = null // the `stats` heard last
  #seconds = [] // { time, bytes, duration }: bytes that came, in ms, both weighted by the share of blank cells

  /** A session with a line of its own counts its own bytes; the others share the server's. */
  hear(stats) {
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

  /** 0 … 1 of a bandwidth in Mbit/s, over the last `duration` ms; NaN where nothing was blank, or it has no limit. */
  share(bandwidth, duration = Infinity) {
    const recent = this.#seconds.filter(({ time }) => time > this.#seconds.at(-1).time - duration)
    const sum = (name) => recent.reduce((all, second) => all + second[name], 0)
    const room = sum('duration') * bandwidth * 125 // 125 bytes a ms: 1 Mbit/s
    return room > 0 && Number.isFinite(room) ? Math.min(1, sum('bytes') / room) : NaN
  }
}

/**
 * Whether the network was the limit: downloads used its bandwidth, and `blank` (0 … 1) stayed blank. Where two ways to fetch
 * did not do alike (`isAlike`), the better one must have left much blank: otherwise it shows that the network was not it.
 */
export const wasLimit = (use, blank, isAlike) => use >= FULL && blank >= (isAlike ? LITTLE : MUCH)
