// Runs in every contender's page before its own scripts: writes down, frame by frame, where the content is and which cells
// in view show their picture; and when pictures were wanted and came. `geometry` is put before it.

(() => {
  const FRESH = 400 // ms for which an input explains the scrolling after it, as in Public/js/scroll/scroll-phases.js
  const LATE = 50 // ms after a frame's time from which on a busy page shows what is there now, not what was then
  const { items, columns, inset, pitch, cellHeight, fullWidth } = geometry
  const live = (window.live = { frames: [], wanted: {}, arrived: {}, sessionAsked: null, scroller: null })
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

  const isThere = (image) => image.complete && image.naturalWidth > 0

  /** 2: its picture, 1: a smaller one in its place, h: a placeholder of it, 0: nothing. */
  function shown(item, cells) {
    if (window.pictureAt) {
      const image = pictureAt(item)
      return image && isThere(image) ? 2 : 0
    }
    const cell = cells.get(item)
    const blur = cell?.querySelector('canvas')
    let best = (blur && !blur.hidden) || cell?.style.backgroundColor ? 'h' : 0
    for (const image of cell?.getElementsByClassName('shown') ?? []) {
      if (isThere(image)) best = image.naturalWidth >= fullWidth || best === 2 ? 2 : 1
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
    let states = ''
    for (let item = from; item < to; item++) states += shown(item, cells)
    live.frames.push([now, top, from, states, phase(top - last, now)])
    last = top
  }

  const came = (item) => (live.arrived[item] ??= []).push(performance.now())

  // Lookahead: pictures come as events, plans as answers to a worker's posts or as events.
  function planned(plan) {
    if (!plan?.visible) return
    const now = performance.now()
    for (const item of plan.prefetch ?? []) (live.wanted[item] ??= []).push(now)
    for (let item = plan.visible.from; item < plan.visible.to; item++) live.wanted[item] ??= [now]
  }
  window.EventSource = class extends EventSource {
    constructor(...parameters) {
      super(...parameters)
      super.addEventListener('plan', (event) => planned(JSON.parse(event.data)))
      super.addEventListener('thumbnail', ({ data }) => {
        const start = data.slice(0, 160)
        if (start.includes('"tier":"full"')) came(Number(/"item":(\d+)/.exec(start)[1]))
      })
    }
  }
  window.Worker = class extends Worker {
    constructor(...parameters) {
      super(...parameters)
      this.addEventListener('message', ({ data }) => planned(data?.answer))
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
