// Runs in every contender's page before the page's own scripts. Records for each frame where the content is and which cells in view
// show their picture, and when pictures were wanted and arrived. `geometry` is put before this script.
//
// One rule for all pages: a picture counts from the first frame in which the browser painted it. Element Timing reports that frame.

(() => {
  const FRESH = 400 // ms for which an input explains the scrolling after it, as in Public/js/scroll/scroll-phases.js
  const LATE = 50 // ms after a frame's time from which on a busy page shows what is there now, not what was then
  const { items, columns, inset, pitch, cellHeight, fullWidth } = geometry
  const live = (window.live = { frames: [], wanted: {}, arrived: {}, sessionAsked: null, scroller: null, presentation: [], finish })
  let scroller = null
  let height = 0
  let input = { kind: 'idle', at: -Infinity }
  let isTouching = false
  let isDragging = false
  let last = 0
  let sampledAt = -Infinity

  const note = (kind) => (input = { kind, at: performance.now() })
  const on = (type, hear) => addEventListener(type, hear, { passive: true, capture: true })
  on('wheel', () => note('wheel'))
  on('keydown', () => note('keyboard'))
  for (const type of ['touchstart', 'touchmove']) on(type, () => ((isTouching = true), note('touch')))
  for (const type of ['touchend', 'touchcancel']) on(type, () => ((isTouching = false), note('momentum')))
  on('pointerdown', (event) => (isDragging = event.target === scroller && event.offsetX >= scroller.clientWidth))
  on('pointerup', () => (isDragging = false))

  function phase(moved, now) {
    if (isDragging) return 'drag'
    if (isTouching) return 'touch'
    if (Math.abs(moved) > 3 * height) return 'jump'
    if (input.kind === 'momentum' && moved) input.at = now
    if (now - input.at < FRESH) return input.kind
    return moved ? 'wheel' : 'idle'
  }

  // Lookahead's own cells, by item; a peer's page says itself where a picture is.
  function cellsByItem() {
    const found = new Map()
    for (const row of document.getElementById('grid')?.children ?? []) {
      if (!row.hidden) for (const cell of row.children) if (!cell.hidden) found.set(Number(cell.dataset.item), cell)
    }
    return found
  }

  // Every picture that an image gets has a number of its own, and Element Timing reports its first paint under this number.
  let pictures = 0
  const painted = new Map() // ms, by number
  const unpainted = [] // frames with pictures that had no report yet: [frame, index of the cell, number, time of the sample]
  const { set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src')
  Object.defineProperty(HTMLImageElement.prototype, 'src', {
    ...Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src'),
    set(address) {
      this.elementTiming = String(++pictures)
      set.call(this, address)
    },
  })
  new PerformanceObserver((list) => {
    for (const { identifier, paintTime, presentationTime } of list.getEntries()) {
      if (painted.has(identifier)) continue
      painted.set(identifier, paintTime)
      live.presentation.push(presentationTime - paintTime)
    }
  }).observe({ type: 'element', buffered: true })

  /** Takes pictures out of the frames in which the browser had not painted them. Call this once, at the end. */
  function finish() {
    for (const [frame, index, number, time] of unpainted) {
      if (painted.get(number) <= time) continue
      const states = live.frames[frame][3]
      live.frames[frame][3] = `${states.slice(0, index)}u${states.slice(index + 1)}`
    }
    for (const [time, plan] of plans) planned(time, typeof plan === 'string' ? JSON.parse(plan) : plan)
    return live
  }

  const isThere = (image) => image.complete && image.naturalWidth > 0

  let picture = null // the image that the last call of `shown` found

  /** 2: its picture, u: its picture, but not painted, 1: a smaller one in its place, h: a placeholder of it, 0: nothing. */
  function shown(item, cells) {
    if (window.pictureAt) {
      picture = pictureAt(item)
      return picture && isThere(picture) ? 2 : 0
    }
    const cell = cells.get(item)
    const blur = cell?.querySelector('canvas')
    let best = (blur && !blur.hidden) || cell?.style.backgroundColor ? 'h' : 0
    for (const image of cell?.getElementsByTagName('img') ?? []) {
      if (!isThere(image) || best === 2) continue
      best = image.naturalWidth >= fullWidth ? 2 : 1
      picture = image
    }
    return best
  }

  function visible(top) {
    const first = Math.max(0, Math.floor((top - inset - cellHeight) / pitch) + 1)
    const end = Math.ceil((top + height - inset) / pitch)
    return [first * columns, Math.min(end * columns, items)]
  }

  // After the frame: it stands as it was drawn, and its layout need not be computed for this alone.
  const after = new MessageChannel()
  function frame(now) {
    requestAnimationFrame(frame)
    after.port2.postMessage(now)
  }
  requestAnimationFrame(frame)
  after.port1.onmessage = ({ data: frame }) => {
    const now = performance.now()
    const time = now - frame > LATE ? now : frame
    if (time > sampledAt) sample((sampledAt = time))
  }

  function sample(now) {
    scroller ??= document.getElementById('scroller')
    // The page scrolls, or has drawn its first screen.
    if (!scroller || (!height && scroller.scrollHeight < 100 * pitch && !document.getElementById('grid')?.childElementCount)) return
    if (!height) {
      height = scroller.clientHeight
      live.scroller = [scroller.getBoundingClientRect().top, scroller.clientWidth, height]
    }
    const top = scroller.scrollTop
    const cells = window.pictureAt ? null : cellsByItem()
    const [from, to] = visible(top)
    const sampled = performance.now()
    let states = ''
    for (let item = from; item < to; item++) {
      const state = shown(item, cells)
      if (state === 2 && !painted.has(picture.elementTiming)) unpainted.push([live.frames.length, item - from, picture.elementTiming, sampled])
      states += state
    }
    live.frames.push([now, top, from, states, phase(top - last, now)])
    last = top
  }

  // Lookahead: pictures arrive as events, plans as responses to a worker's posts or as events. Nothing is parsed before the end.
  const plans = [] // [time, plan]
  function planned(time, plan) {
    if (!plan?.visible) return
    for (const item of plan.prefetch ?? []) (live.wanted[item] ??= []).push(time)
    for (let item = plan.visible.from; item < plan.visible.to; item++) live.wanted[item] ??= [time]
  }
  window.EventSource = class extends EventSource {
    constructor(...parameters) {
      super(...parameters)
      super.addEventListener('plan', ({ data }) => plans.push([performance.now(), data]))
      super.addEventListener('thumbnail', ({ data }) => {
        const start = data.slice(0, 160)
        if (start.includes('"tier":"full"')) (live.arrived[/"item":(\d+)/.exec(start)[1]] ??= []).push(performance.now())
      })
    }
  }
  window.Worker = class extends Worker {
    constructor(...parameters) {
      super(...parameters)
      this.addEventListener('message', ({ data }) => data?.response && plans.push([performance.now(), data.response]))
    }
  }

  // Peers: pictures are resources, named by their item. Lookahead's request for its session is one, too.
  performance.setResourceTimingBufferSize(100)
  new PerformanceObserver((list) => {
    for (const { name, startTime, responseEnd } of list.getEntries()) {
      if (name.endsWith('/api/v1/sessions')) live.sessionAsked ??= startTime
      const item = /\/(\d+)\.jpg$/.exec(name)?.[1]
      if (!item) continue
      ;(live.wanted[item] ??= []).push(startTime)
      if (responseEnd) (live.arrived[item] ??= []).push(responseEnd)
    }
  }).observe({ type: 'resource', buffered: true })
})()
