// Questions of the tests to a race, and to the story that a first visit shows.

const raceProbe = {
  page: /** @type {any} */ (window),

  get dialog() {
    return /** @type {HTMLDialogElement} */ (document.getElementById('race'))
  },

  /** Opens the race by its button. */
  open: () => document.getElementById('race-open').click(),

  get panes() {
    return [...raceProbe.dialog.querySelectorAll('article')]
  },

  /** @param {string} name */
  part: (name) => /** @type {any} */ (raceProbe.dialog.querySelector(`[data-part="${name}"]`)),

  /** @param {string} name @returns {string} */
  text: (name) => raceProbe.part(name).textContent,

  /** Chooses an option of a menu, as a person does. @param {string} name @param {string} value */
  choose(name, value) {
    raceProbe.part(name).value = value
    raceProbe.part(name).dispatchEvent(new Event('change'))
  },

  /**
   * Waits until the race is in a state.
   * @param {string} state
   */
  reach: (state) =>
    probe.until(() => raceProbe.dialog.dataset.state === state, `the race ${state}: ${raceProbe.text('headline')}`, 55000),

  /** Whether the race has been set up: its conditions are known. */
  isSetUp: () => raceProbe.dialog.dataset.state !== 'ready' && raceProbe.text('terms') !== '',

  names: () => raceProbe.panes.map((pane) => pane.querySelector('h3').textContent.trim()),

  /** @param {Element} pane @param {string} name @returns {string} */
  figure: (pane, name) => pane.querySelector(`[data-figure="${name}"]`).textContent,

  /** Returns a figure of both sides. @param {string} name */
  figures: (name) => raceProbe.panes.map((pane) => raceProbe.figure(pane, name)),

  /**
   * Returns the cells of a pane that a person sees, in reading order.
   * @param {Element} pane
   * @returns {HTMLElement[]}
   */
  cells(pane) {
    const box = pane.querySelector('.view').getBoundingClientRect()
    return /** @type {HTMLElement[]} */ ([...pane.querySelectorAll('.cell')]).filter((cell) => {
      const r = cell.getBoundingClientRect()
      return r.height > 0 && r.bottom > box.top + 2 && r.top < box.bottom - 2
    })
  },

  /** Returns the numbers of the items that a person sees in a pane, separated by commas. @param {Element} pane */
  items: (pane) => raceProbe.cells(pane).map((cell) => Number(cell.dataset.item)).join(),

  /** Whether both panes show the same items, from beyond item `first`. @param {number} first */
  areTogether(first) {
    const [left, right] = raceProbe.panes.map(raceProbe.items)
    return left === right && Number(left.split(',')[0]) > first
  },

  /** Whether each cell in sight shows its own picture. @param {Element} pane */
  isFull: (pane) => raceProbe.cells(pane).every((cell) => probe.number(cell) === Number(cell.dataset.item)),

  /** Whether each cell in sight shows a picture or its blur. @param {Element} pane */
  isDrawn(pane) {
    const cells = raceProbe.cells(pane)
    return cells.length > 8 && cells.every((cell) => cell.querySelector('canvas') !== null || cell.dataset.state === 'ready')
  },

  /** Drops the file of a trace on the race: down at 3,000 px a second for a second, then a rest. */
  drop() {
    const samples = []
    for (let i = 0; i <= 120; i++) samples.push({ t: i * 16, y: Math.min(i, 60) * 48, phase: i < 60 ? 'momentum' : 'idle' })
    const layout = { kind: 'grid', itemWidth: 100, itemHeight: 80 }
    const header = { version: 1, itemCount: 20000, viewport: { width: 600, height: 600 }, layout }
    const text = [header, ...samples].map((line) => JSON.stringify(line)).join('\n')
    const data = new DataTransfer()
    data.items.add(new File([text], 'short.ndjson'))
    raceProbe.dialog.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    return probe.until(() => raceProbe.part('scroll').value === 'file', 'the trace')
  },

  /** Keeps the page busy from now on: each frame takes at least 250 ms. */
  tire() {
    const end = performance.now() + 250
    while (performance.now() < end);
    requestAnimationFrame(raceProbe.tire)
  },

  /** Returns the number of lines on which the names of the figures stand, and the number of lines of the figures. */
  figureLines() {
    const baseline = (/** @type {Element} */ element) => {
      const mark = element.appendChild(document.createElement('i'))
      mark.style.display = 'inline-block'
      const { bottom } = mark.getBoundingClientRect()
      mark.remove()
      return Math.round(bottom)
    }
    return ['dt', 'dd'].map((name) => new Set([...raceProbe.panes[0].querySelectorAll(name)].map(baseline)).size)
  },

  /** Follows a race until it has scrolled. Returns how often it moved, and in how many frames the panes differed. */
  async watchScroll() {
    // However few frames there are, the scroll continues by its own clock.
    await probe.frame()
    let [apart, moved, last] = [0, 0, raceProbe.items(raceProbe.panes[0])]
    await probe.until(() => {
      if (raceProbe.dialog.dataset.state !== 'running') return true
      const [left, right] = raceProbe.panes.map(raceProbe.items)
      if (left !== right) apart += 1
      if (left !== last) moved += 1
      last = left
      return moved > 20
    }, 'a scroll')
    return { apart, moved }
  },

  /** Stops the race as soon as one side is better and both panes are full. */
  async stopOnceDecided() {
    const isDecided = () => raceProbe.dialog.querySelector('.blank [data-better]') && raceProbe.panes.every(raceProbe.isFull)
    await probe.until(isDecided, 'the better side')
    if (raceProbe.dialog.dataset.state === 'running') raceProbe.part('start').click()
  },

  /** Stops the race as soon as the sides differ. Returns the number of figures that stood out by then, and the scroll. */
  async stopOnceDifferent() {
    const blank = () => raceProbe.figures('blank').map(parseFloat)
    const isDifferent = () => Math.abs(blank()[0] - blank()[1]) > 5 || raceProbe.dialog.dataset.state !== 'running'
    await probe.until(isDifferent, 'a difference')
    const better = raceProbe.dialog.querySelectorAll('[data-better]').length
    raceProbe.part('start').click()
    return { better, scroll: raceProbe.part('scroll').value }
  },

  /** Returns what the page says at the end of a race. */
  verdict: () => ({
    headline: raceProbe.text('headline'),
    details: raceProbe.text('details'),
    spoken: raceProbe.text('spoken'),
    points: raceProbe.text('points'),
    hidesPoints: raceProbe.part('points').hidden,
    marks: raceProbe.dialog.querySelectorAll('[data-better], [data-winner]').length,
    figures: raceProbe.panes.map((pane) => ['blank', 'slow', 'settle', 'waste'].map((name) => raceProbe.figure(pane, name))),
  }),

  /** Returns the figures of which the larger number stands out. */
  wronglyMarked: () =>
    ['blank', 'empty', 'slow', 'waste'].filter((name) => {
      const [left, right] = raceProbe.panes.map((pane) => pane.querySelector(`[data-figure="${name}"]`))
      const [one, other] = [left, right].map((field) => parseFloat(field.textContent))
      return (left.matches('[data-better]') && one >= other) || (right.matches('[data-better]') && other >= one)
    }),

  /** Returns the number of colours in each side's waterfall. */
  waterfallColors: () =>
    raceProbe.panes.map((pane) => {
      /** @type {HTMLCanvasElement} */
      const canvas = pane.querySelector('.waterfall')
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      return new Set(new Uint32Array(data.buffer)).size
    }),

  /** Returns the explanation above the panes, with single spaces. */
  lede: () => /** @type {HTMLElement} */ (raceProbe.dialog.querySelector('.lede')).innerText.replaceAll(/\s+/g, ' '),

  /** Returns those of the words that no option of the menu of races contains. @param {string[]} words */
  missingFromMenu(words) {
    /** @type {HTMLOptionElement[]} */
    const options = [...raceProbe.part('race').options]
    return words.filter((word) => !options.some((option) => option.text.includes(word)))
  },

  /** Records the policies of the cold sessions that the page opens from now on. */
  recordPolicies() {
    const policies = (raceProbe.page.policies = [])
    const { fetch } = window
    window.fetch = (...given) => {
      const body = /** @type {string} */ (given[1]?.body)
      if (/"cold":true/.test(body)) policies.push(JSON.parse(body).policy)
      return fetch(...given)
    }
  },

  /** Returns the recorded policies, the figures of wasted pictures, and whether each pane shows all its pictures. */
  outcome: () => ({
    asked: raceProbe.page.policies,
    waste: raceProbe.figures('waste'),
    shown: raceProbe.panes.map((pane) => raceProbe.cells(pane).every((cell) => cell.dataset.state === 'ready')),
  }),

  /** Fails if a pane shows a picture within sixty frames of a race that is still being prepared. */
  async staysEmpty() {
    const isPreparing = () =>
      raceProbe.dialog.dataset.state === 'preparing' && raceProbe.panes.every((pane) => raceProbe.cells(pane).length > 8)
    await probe.until(isPreparing, 'cells')
    for (let frame = 0; frame < 60; frame++) {
      await probe.frame()
      for (const pane of raceProbe.panes) {
        for (const cell of raceProbe.cells(pane)) if (probe.number(cell) >= 0) throw new Error('a picture came from a cache')
      }
    }
  },

  /** Holds responses about the network until the test releases them by `held[0]()`, and counts the sessions that sides open. */
  holdNetwork() {
    const page = raceProbe.page
    page.held = []
    page.opened = 0
    const { fetch } = window
    window.fetch = async (...given) => {
      if (/"share"/.test(/** @type {string} */ (given[1]?.body))) page.opened += 1 // the gallery's own session has no share
      const response = await fetch(...given)
      if (/demo\/origin$/.test(String(given[0]))) await new Promise((resolve) => page.held.push(resolve))
      return response
    }
    raceProbe.open()
  },

  /** Returns the style of a blur, the number of menus, and whether the bar is on one line. */
  layout() {
    // A blur comes and goes with the network. A canvas in a cell stands in for it.
    const cell = raceProbe.cells(raceProbe.panes[0])[0]
    const blur = document.createElement('canvas')
    cell.prepend(blur)
    const { position, height } = getComputedStyle(blur)
    const isWhole = Math.abs(parseFloat(height) - cell.clientHeight) < 1
    blur.remove()
    const shown = (/** @type {string} */ selector) =>
      [...raceProbe.dialog.querySelectorAll(selector)].filter((part) => part.getClientRects().length)
    const middles = shown('form > *').map((part) => {
      const { top, bottom } = part.getBoundingClientRect()
      return (top + bottom) / 2
    })
    return {
      position,
      isWhole,
      menus: shown('form select').length,
      isOneLine: Math.max(...middles) - Math.min(...middles) < 8,
    }
  },

  /** Returns how the panes lie, what is outside the window, and the menus whose words are cut. */
  boxes() {
    const [a, b] = raceProbe.panes.map((pane) => pane.querySelector('.view').getBoundingClientRect())
    const isOutside = (/** @type {Element} */ e) =>
      e.getClientRects().length && !e.closest('.view, .spoken') && e.getBoundingClientRect().right > innerWidth + 1
    const outside = [...raceProbe.dialog.querySelectorAll('*')].filter(isOutside)
    // Measures the words of a menu as wide as they are written.
    const ruler = document.createElement('span')
    ruler.style.cssText = 'position: absolute; white-space: nowrap'
    raceProbe.dialog.append(ruler)
    const cut = [raceProbe.part('race'), raceProbe.part('scroll')].filter((menu) => {
      ruler.style.font = getComputedStyle(menu).font
      ruler.textContent = menu.selectedOptions[0].textContent
      return ruler.offsetWidth > menu.clientWidth - 42
    })
    return {
      stacked: a.bottom <= b.top,
      height: Math.min(a.height, b.height),
      outside: outside.map((e) => e.outerHTML.slice(0, 80)),
      cut: cut.map((menu) => menu.value),
    }
  },

  // MARK: The story

  get story() {
    return /** @type {any} */ (document.getElementById('story'))
  },

  get storyPanes() {
    return /** @type {HTMLElement[]} */ ([...raceProbe.story.querySelectorAll('article')])
  },

  /** @param {string} name */
  storyPart: (name) => raceProbe.story.querySelector(`[data-part="${name}"]`),

  /** Returns the number of sessions that the server has. @returns {Promise<number>} */
  sessions: async () => (await probe.get('/api/v1/stats')).sessions[0].value,

  /** Whether the story is closed and the grid has the focus. */
  isStoryClosed: () => !raceProbe.story.open && document.getElementById('grid').contains(document.activeElement),

  /** Waits until the gallery's session is the only one. Fails if the address would show the story again. */
  async storyEnded() {
    await probe.until(raceProbe.isStoryClosed, 'the gallery')
    await probe.until(async () => (await raceProbe.sessions()) === 1, 'the gallery’s session alone')
    if (location.search.includes('story')) throw new Error('it would come again')
  },

  /** Gives the page time to show the story. Returns whether it is open, and whether its code was loaded. */
  async storyAppears() {
    await new Promise((resolve) => requestIdleCallback(resolve))
    for (let frame = 0; frame < 60; frame++) await probe.frame()
    const isLoaded = performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/story/story.js'))
    return [raceProbe.story.open, isLoaded]
  },

  /** Returns what the story shows once both sides have figures. */
  async storyStart() {
    const figures = () => raceProbe.storyPanes.map((pane) => pane.querySelector('output').textContent)
    await probe.until(() => figures().every((figure) => /^[\d.]+% empty$/.test(figure)), 'figures')
    const result = raceProbe.storyPart('result')
    return {
      strip: document.getElementById(raceProbe.story.getAttribute('aria-labelledby')).textContent,
      names: raceProbe.storyPanes.map((pane) => pane.querySelector('h3').textContent.trim()),
      focus: document.activeElement.textContent,
      result: result.textContent,
      role: result.role ?? result.getAttribute('role'),
      isModal: raceProbe.story.matches(':modal'),
      sessions: await raceProbe.sessions(),
    }
  },

  /** Returns the figures of both sides, and the moment at which the story ends. */
  async storyEnd() {
    const pattern = /After [\d.]+\ss, (\d+) and (\d+) of (\d+) were loaded\.$/
    const moment = raceProbe.storyPart('moment').textContent.match(pattern).slice(1).map(Number)
    const panes = raceProbe.storyPanes
    const inView = (/** @type {Element} */ pane, /** @type {string} */ state) => {
      const { top, bottom } = pane.querySelector('.view').getBoundingClientRect()
      return [...pane.querySelectorAll(`.cell[data-state="${state}"]`)].filter((cell) => {
        const box = cell.getBoundingClientRect()
        return box.height && box.bottom > top && box.top < bottom
      }).length
    }
    await probe.until(() => inView(panes[1], 'ready') > inView(panes[0], 'ready'), 'the pictures of that moment')
    const timelines = panes.map((pane) => {
      const canvas = pane.querySelector('canvas')
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      return data.filter((value, index) => index % 4 === 3 && value > 0).length / (canvas.width * canvas.height)
    })
    const items = (/** @type {Element} */ pane) => {
      const cells = /** @type {HTMLElement[]} */ ([...pane.querySelectorAll('.row:not([hidden]) .cell')])
      return cells.map((cell) => cell.dataset.item).join()
    }
    return {
      shares: panes.map((pane) => pane.querySelector('output').textContent.split(' ')[0]),
      moment,
      waiting: inView(panes[0], 'waiting'),
      timelines,
      result: raceProbe.storyPart('result').textContent,
      focus: document.activeElement.textContent,
      items: panes.map(items),
    }
  },

  /** Whether the story is visible, is modal, and has the focus on its button. */
  storyPresence: () => [
    raceProbe.story.checkVisibility({ visibilityProperty: true }),
    raceProbe.story.matches(':modal'),
    document.activeElement === raceProbe.storyPart('leave'),
  ],

  /** Returns how the panes of the story lie, and what is outside the window. */
  storyBoxes() {
    const [a, b] = raceProbe.storyPanes.map((pane) => pane.querySelector('.view').getBoundingClientRect())
    const isOutside = (/** @type {Element} */ e) => {
      const { left, top, right, bottom } = e.getBoundingClientRect()
      return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1
    }
    const parts = [...raceProbe.story.querySelectorAll('h2, h3, output, button, .pane, p')]
    const outside = parts.filter((e) => e.checkVisibility() && isOutside(e))
    return {
      stacked: a.bottom <= b.top,
      height: Math.min(a.height, b.height),
      outside: outside.map((e) => e.outerHTML.slice(0, 80)),
    }
  },
}
