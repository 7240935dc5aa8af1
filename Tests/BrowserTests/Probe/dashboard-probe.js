// Questions of the tests to the dashboard and to its controls.

const dashboardProbe = {
  page: /** @type {any} */ (window),

  isOpen: () => !document.getElementById('dashboard').hidden,

  /** @param {string} name @returns {HTMLElement} */
  part: (name) => document.querySelector(`[data-part="${name}"]`),

  get sentence() {
    return dashboardProbe.part('sentence').textContent
  },

  get figures() {
    return /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.figure')])
  },

  /** Returns the figure of a name. @param {string} name */
  figure: (name) => dashboardProbe.figures.find((figure) => figure.firstChild.textContent === name),

  /** Returns the text of a figure's value. @param {string} name */
  value: (name) => dashboardProbe.figure(name).querySelector('b').textContent,

  hasAllValues: () => dashboardProbe.figures.every((figure) => figure.querySelector('b').textContent !== '–'),

  /** Whether the explanation of a figure is visible. @param {number} index */
  isExplained: (index) => getComputedStyle(dashboardProbe.figures[index].querySelector('small')).opacity === '1',

  /**
   * Scrolls to an element. Returns the point in the middle of its height, at a share of its width without the borders.
   * @param {Element} element
   */
  place(element, share = 0.5) {
    element.scrollIntoView({ block: 'center', behavior: /** @type {any} */ ('instant') })
    const r = element.getBoundingClientRect()
    return { x: r.x + 1 + share * (r.width - 2), y: r.y + r.height / 2 }
  },

  /** Sets a slider as a person does. @param {string} name @param {number} value in the unit that the page shows */
  slide(name, value) {
    const input = /** @type {HTMLInputElement} */ (document.querySelector(`input[name="${name}"]`))
    input.value = String(input.dataset.power ? Math.log10(value) : value)
    input.dispatchEvent(new Event('input'))
    input.dispatchEvent(new Event('change'))
  },

  /** Whether the controls of the demo's network are shown. */
  hasControls: () => !dashboardProbe.part('origin').hidden,

  /** Returns what the page shows beside the first three sliders, with plain spaces. */
  sliderTexts() {
    const outputs = [...dashboardProbe.part('origin').querySelectorAll('output')]
    return outputs.map((output) => output.textContent.replace('\u00a0', ' ')).slice(0, 3)
  },

  /** The switch that turns prefetching off for half of the followers. @returns {HTMLInputElement} */
  get halving() {
    return dashboardProbe.part('audience').querySelector('input')
  },

  /** Returns the texts of the bars that compare both halves, with `n%` for a share; '' while the bars are hidden. */
  halves() {
    const { children, hidden } = dashboardProbe.part('halves')
    return hidden ? '' : [...children].map((bar) => bar.getAttribute('aria-label').replace(/[\d.]+%/, 'n%')).join()
  },

  /** Chooses a policy in the menu. @param {string} policy */
  choosePolicy(policy) {
    const menu = /** @type {HTMLSelectElement} */ (document.getElementById('policy'))
    menu.value = policy
    menu.dispatchEvent(new Event('change'))
  },

  /** Returns what the server knows about the page's session. @param {string} session */
  session: (session) => probe.get(`/api/v1/sessions/${session}`),

  /** Whether both minimaps have more than one colour. */
  areMinimapsDrawn: () =>
    ['minimap', 'whole'].every((name) => {
      const canvas = /** @type {HTMLCanvasElement} */ (dashboardProbe.part(name))
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      const seen = new Set()
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] === 255) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2])
      }
      return seen.size > 1
    }),

  get waterfall() {
    return /** @type {HTMLCanvasElement} */ (dashboardProbe.part('waterfall'))
  },

  /** Whether a waterfall shows bars or the band, which have several colours. */
  isWaterfallDrawn(name = 'waterfall') {
    const canvas = /** @type {HTMLCanvasElement} */ (dashboardProbe.part(name))
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    const colors = new Set()
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2])
    return colors.size > 3
  },

  /** Scrolls the waterfall into view, and returns its place. */
  showWaterfall() {
    dashboardProbe.waterfall.scrollIntoView({ block: 'center' })
    return dashboardProbe.waterfall.getBoundingClientRect()
  },

  // MARK: Rewind

  /** Stays at a place until its pictures are visible. Adds to `page.visits` when it came and when it left. @param {number} top */
  async visit(top) {
    const came = performance.now()
    probe.scroller.scrollTop = top
    await probe.until(() => probe.scroller.scrollTop === top && probe.filled(), 'the pictures there')
    await probe.calm()
    const visits = (dashboardProbe.page.visits ??= [])
    visits.push({ came, left: performance.now() })
  },

  /** Drags the slider to a time of the page. @param {number} time */
  rewindTo(time) {
    const slider = /** @type {HTMLInputElement} */ (dashboardProbe.part('rewind'))
    // The minute on show ends with the first call.
    if (!dashboardProbe.isPast()) dashboardProbe.page.frozen = performance.now()
    slider.value = String((time - dashboardProbe.page.frozen) / 1000)
    slider.dispatchEvent(new Event('input'))
  },

  isPast: () => document.documentElement.hasAttribute('data-rewound'),

  /** Returns the place on show, the visible cells, the number that shows a picture, and the number that the page calls blank. */
  past() {
    const cells = probe.visible()
    const [, blank, all] = /^[\d.]+\u00a0s ago · (\d+) of (\d+) cells /.exec(document.getElementById('then').textContent) ?? []
    return {
      top: probe.scroller.scrollTop,
      cells: Number(all) === cells.length ? cells.length : `${cells.length}, but the page says ${all}`,
      shown: cells.filter(probe.hasPicture).length,
      blank: Number(blank),
    }
  },

  /** Returns the number of updates in the record of a session. @param {string} session */
  updates: async (session) => (await probe.get(`/api/v1/sessions/${session}/record`)).samples.length,

  /** Simulates the minute on show. @param {string} policy @param {number} latency in ms @param {number} bandwidth in Mbit/s */
  simulate(policy, latency, bandwidth) {
    const form = /** @type {HTMLFormElement} */ (dashboardProbe.part('simulation'))
    const fields = /** @type {HTMLInputElement[]} */ ([...form.elements])
    for (const [index, value] of [policy, latency, bandwidth].entries()) fields[index].value = String(value)
    form.requestSubmit()
  },

  /** Whether the page visibly compares the minute with its simulation. */
  isCompared() {
    const text = dashboardProbe.part('comparison')
    return text.getClientRects().length > 0 && /^Blank [\d.]+% as recorded, [\d.]+% simulated\./.test(text.textContent)
  },

  // MARK: Figures and cells

  /** Returns the text under the waterfall. */
  why: () => dashboardProbe.part('why').textContent,

  /** Returns the number of rows in the waterfall's table. */
  rows: () => document.querySelectorAll('.waterfall-table tbody tr').length,

  /** Whether the waterfall has the full width, each value has a unit, and the wasted pictures are a share. */
  figureLayout() {
    const width = dashboardProbe.part('figures').clientWidth
    const figures = dashboardProbe.figures
    const hasUnit = (/** @type {Element} */ figure) =>
      /%$|ms$/.test(figure.querySelector('b').textContent) || figure.querySelector('em').textContent === 'per second'
    return {
      wide: Math.abs(dashboardProbe.waterfall.clientWidth - width) <= 1,
      units: figures.every(hasUnit),
      waste: dashboardProbe.value('Fetched but never viewed').endsWith('%'),
      all: figures.map((figure) => figure.textContent),
    }
  },

  /** Returns the number of figures in the status line, and whether each of them is whole. */
  statusLine() {
    const line = document.querySelector('#status dl').getBoundingClientRect()
    const places = [...document.querySelectorAll('#status dl div')].map((figure) => figure.getBoundingClientRect())
    const shown = places.filter(({ top }) => top < line.bottom - 1)
    return { shown: shown.length, whole: shown.every((r) => r.right <= line.right + 1 && r.bottom <= line.bottom + 1) }
  },

  /** Records the states that cells show now. Returns those recorded since the page was opened. @returns {Set<string>} */
  recordStates() {
    const states = (dashboardProbe.page.states ??= new Set())
    for (const cell of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.cell[data-ring]'))) {
      const { ring } = cell.dataset
      states.add(ring)
      const share = Number(cell.style.getPropertyValue('--share'))
      if (ring === 'loading' && share > 0 && share < 1) states.add('progress')
    }
    return states
  },

  /** Whether cells have shown all of the states. @param {string[]} states */
  haveShown(...states) {
    const seen = dashboardProbe.recordStates()
    return states.every((state) => seen.has(state))
  },

  /** Flings at 8,000 px a second, however many frames there are, and rests. Returns the states that no cell has shown so far. */
  async fling() {
    const [began, from] = [performance.now(), probe.scroller.scrollTop]
    for (let t = 0; t < 2200; t = performance.now() - began) {
      const top = from + 8 * ((0.998 ** t - 1) / Math.log(0.998))
      if (t < 1500) probe.scroller.scrollTop = top
      await probe.frame()
      dashboardProbe.recordStates()
    }
    const all = ['asked', 'loading', 'progress', 'ready', 'failed', 'cancelled', 'skipped']
    return all.filter((state) => !dashboardProbe.recordStates().has(state))
  },

  /** Returns the frame at the expected stop, on the scrubber. */
  get ghost() {
    return dashboardProbe.part('ghost')
  },

  /** Returns how far the lower end of the ghost is below the lower end of the marker, in pixels. */
  lead: () => dashboardProbe.ghost.getBoundingClientRect().bottom - dashboardProbe.part('here').getBoundingClientRect().bottom,

  /** Flings. Returns the number of frames in which the ghost was ahead of the marker. */
  async framesAhead() {
    let [frames, isOver] = [0, false]
    const look = () => {
      if (!dashboardProbe.ghost.hidden && dashboardProbe.lead() > 2) frames += 1
      if (!isOver) requestAnimationFrame(look)
    }
    look()
    await dashboardProbe.fling()
    isOver = true
    return frames
  },

  isGhostOverMarker: () => !dashboardProbe.ghost.hidden && Math.abs(dashboardProbe.lead()) <= 1,

  /** Scrolls for sixty frames. @param {number} distance of a frame, in pixels */
  async scroll(distance) {
    for (let frame = 0; frame < 60; frame++) {
      probe.scroller.scrollTop += distance
      await probe.frame()
    }
  },

  /** Scrolls for sixty frames. Returns the drawings meanwhile, and the streams and timers, as `page.seen` counts them. */
  async activity() {
    await probe.frame()
    const { seen } = dashboardProbe.page
    const before = seen.drawings()
    await dashboardProbe.scroll(40)
    return { drawings: seen.drawings() - before, streams: seen.streams(), timers: seen.timers() }
  },

  /** Flings four times. Returns the milliseconds that the dashboard takes in each frame, and the number of frames. */
  async frameCost() {
    for (let fling = 0; fling < 4; fling++) {
      for (let speed = 120; speed > 1; speed *= 0.97) {
        probe.scroller.scrollTop += speed
        await probe.frame()
      }
    }
    const cost = document.getElementById('dashboard')
    const before = cost.dataset.frames
    await probe.until(() => cost.dataset.frames !== before, 'the figure')
    return { each: Number(cost.dataset.each), frames: Number(cost.dataset.frames) }
  },

  /**
   * Returns facts about the colours of the legend: how far they are apart (CIE76) for the eyes that separate them least, of four
   * kinds of eyes (Machado 2009), and the least contrast of the colours that outline a cell.
   */
  colours() {
    const eyes = [
      [1, 0, 0, 0, 1, 0, 0, 0, 1],
      [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
      [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
      [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
    ]
    const context = new dashboardProbe.page.OffscreenCanvas(1, 1).getContext('2d')
    const linear = (/** @type {string} */ colour) => {
      context.clearRect(0, 0, 1, 1)
      context.fillStyle = colour
      context.fillRect(0, 0, 1, 1)
      const channels = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((x) => x / 255)
      return channels.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
    }
    const seen = (/** @type {number[]} */ m, /** @type {number[]} */ [r, g, b]) =>
      [0, 3, 6].map((i) => Math.min(1, Math.max(0, m[i] * r + m[i + 1] * g + m[i + 2] * b)))
    const lab = (/** @type {number[]} */ [r, g, b]) => {
      const f = (/** @type {number} */ t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
      const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
      const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b)
      const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
      return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
    }
    const light = (/** @type {number[]} */ [r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b
    const contrast = (/** @type {number} */ a, /** @type {number} */ b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    const swatches = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.legend i')])
    const colours = swatches.map((swatch) => getComputedStyle(swatch).color)
    const ground = light(linear(getComputedStyle(document.documentElement).backgroundColor))
    let apart = Infinity
    for (const m of eyes) {
      const places = colours.map((colour) => lab(seen(m, linear(colour))))
      places.forEach((a, i) => {
        for (const b of places.slice(0, i)) apart = Math.min(apart, Math.hypot(...a.map((x, k) => x - b[k])))
      })
    }
    const outlines = colours.filter((_, i) => swatches[i].dataset.swatch !== 'idle')
    const accent = document.createElement('i')
    accent.style.color = 'var(--accent)'
    document.body.append(accent)
    const named = (/** @type {(r: number, g: number, b: number) => boolean} */ test) => {
      const isNamed = (/** @type {HTMLElement} */ swatch) => {
        const [r, g, b] = getComputedStyle(swatch).color.match(/[\d.]+/g).map(Number)
        return test(r, g, b)
      }
      return swatches.filter(isNamed).map((swatch) => swatch.dataset.swatch)
    }
    return {
      red: named((r, g, b) => r > 1.8 * g && r > 1.8 * b),
      grey: named((r, g, b) => Math.max(r, g, b) - Math.min(r, g, b) < 24),
      states: swatches.length,
      apart,
      outline: Math.min(...outlines.map((colour) => contrast(light(linear(colour)), ground))),
      accent: colours.includes(getComputedStyle(accent).color),
      ways: [...document.querySelectorAll('.figure em')].filter((way) => /is better|per second/.test(way.textContent)).length,
    }
  },

  /** Whether the dashboard and the status line show no values, and the sentence says that the server does not respond. */
  isOffline: () =>
    [...document.querySelectorAll('.figure b, #status dd')].every((field) => field.textContent === '–') &&
    dashboardProbe.sentence === 'The server isn’t responding.',
}
