// Questions of the tests to the page as a whole: its accessibility, its prints and copies, its galleries and its looks.

const pageProbe = {
  page: /** @type {any} */ (window),

  /** Whether there are cells in view, all with their thumbnails. */
  isReady() {
    const cells = probe.visible()
    return cells.length > 0 && cells.every((cell) => cell.dataset.state === 'ready')
  },

  /** Waits for a second of frames, so that fades end. */
  async settle() {
    for (let i = 0; i < 60; i++) await probe.frame()
  },

  /** The text that a screen reader announces. */
  get announcement() {
    return document.getElementById('announcements').textContent
  },

  /** Returns the number of columns of the grid. */
  columns: () => Number(document.getElementById('grid').getAttribute('aria-colcount')),

  /** Returns the item in the page's address. */
  addressItem: () => Number(new URLSearchParams(location.search).get('item')),

  barHeight: () => document.getElementById('bar').offsetHeight,

  // MARK: Accessibility

  /** Returns what the grid says about its rows, and what its sections imply. */
  async gridFacts() {
    const gallery = await probe.get('/api/v1/galleries/demo')
    const grid = /** @type {any} */ (document.getElementById('grid'))
    const columns = pageProbe.columns()
    // Each section begins a row of its own.
    const rowOf = (/** @type {number} */ item) => {
      let rows = 0
      for (const { from, count } of gallery.sections) {
        if (item < from + count) return rows + Math.floor((item - from) / columns) + 1
        rows += Math.ceil(count / columns)
      }
      return rows
    }
    const isWrong = (/** @type {HTMLElement} */ cell) =>
      Number(cell.parentElement.getAttribute('aria-rowindex')) !== rowOf(Number(cell.dataset.item))
    return {
      role: grid.role ?? grid.getAttribute('role'),
      rows: Number(grid.getAttribute('aria-rowcount')),
      expected: rowOf(gallery.itemCount),
      wrong: probe.visible().filter(isWrong).length,
      unnamed: probe.visible().filter((cell) => !cell.getAttribute('aria-label')).length,
      stops: document.querySelectorAll('#scroller [tabindex="0"]').length,
    }
  },

  /** Returns the numbers of the rows that are in the document. */
  rows: () => [...document.querySelectorAll('.row:not([hidden])')].map((row) => Number(row.getAttribute('aria-rowindex'))),

  /** Whether the numbers of rows rise, the last one of them, and how many rows the grid says it has. */
  rowFacts() {
    const rows = pageProbe.rows()
    return {
      rising: rows.every((row, index) => index === 0 || row >= rows[index - 1]),
      last: rows.at(-1),
      count: Number(document.getElementById('grid').getAttribute('aria-rowcount')),
    }
  },

  /** Returns the controls outside a page of 320 px, its width, the height of its pictures, and the number of columns. */
  narrowFacts() {
    const isCut = (/** @type {Element} */ element) => {
      const r = element.getBoundingClientRect()
      const isOutside = r.left < 0 || r.right > 320.5 || r.bottom > innerHeight + 0.5
      return r.width > 0 && element.id !== 'skip' && !element.closest('[hidden]') && isOutside
    }
    const controls = [...document.querySelectorAll('button, select, input, a, h1, #status dd')]
    return {
      cut: controls.filter(isCut).map((element) => element.outerHTML.slice(0, 60)),
      wide: document.scrollingElement.scrollWidth,
      scroller: probe.scroller.clientHeight,
      columns: pageProbe.columns(),
    }
  },

  /** Returns what axe-core finds in the page. @param {object} options of axe-core */
  async violations(options = {}) {
    const { violations } = await pageProbe.page.axe.run(options)
    return violations.map(({ id, nodes }) => {
      const elements = nodes.map((/** @type {{ html: string }} */ node) => node.html.slice(0, 120))
      return `${id}: ${elements.slice(0, 3)}`
    })
  },

  /**
   * Loads axe-core, waits until no colour changes any more, and returns what axe-core finds.
   * @param {string} source of axe-core
   * @param {object} options of axe-core
   */
  async check(source, options) {
    if (typeof pageProbe.page.axe === 'undefined') (0, eval)(source)
    const isOfColour = (/** @type {any} */ animation) => /color/.test(animation.transitionProperty ?? '')
    await probe.until(() => !document.getAnimations().some(isOfColour), 'the colours of the scheme')
    return pageProbe.violations(options)
  },

  /** Returns the controls and cells that are smaller than 24 px. */
  tinyTargets() {
    const isTiny = (/** @type {Element} */ element) => {
      const r = (element.closest('label') ?? element).getBoundingClientRect()
      return r.width > 0 && (r.width < 24 || r.height < 24)
    }
    return [...document.querySelectorAll('button, select, input, .cell')]
      .filter(isTiny)
      .map((element) => element.outerHTML.slice(0, 60))
  },

  /** Returns the controls in parts of the page that are smaller than 44 px. @param {string} selector of the parts */
  smallTargets(selector) {
    const isSmall = (/** @type {any} */ element) => {
      const box = element.getBoundingClientRect()
      return element.checkVisibility({ visibilityProperty: true }) && (box.height < 43.5 || box.width < 43.5)
    }
    return [...document.querySelectorAll(selector)]
      .flatMap((place) => [...place.querySelectorAll('button, select, input, summary, nav a')])
      .map((element) => element.closest('label') ?? element)
      .filter(isSmall)
      .map((element) => element.outerHTML.slice(0, 80))
  },

  // MARK: Prints and copies

  /** Whether the page shows no controls, as on paper and in a copy. */
  isStill: () => getComputedStyle(document.getElementById('controls')).display === 'none',

  /** Returns what the page prints. */
  paper() {
    const all = (/** @type {string} */ selector) => /** @type {any[]} */ ([...document.querySelectorAll(selector)])
    return {
      items: all('#print li').map((entry) => Number(entry.dataset.item)),
      titles: all('#print h2').map((title) => title.textContent),
      names: all('#print span').every((name) => name.textContent),
      foot: document.querySelector('#print p').textContent,
      controls: all('button, input, select').filter((control) => control.checkVisibility()).length,
    }
  },

  /** Returns the items whose whole cell is on the page, with a picture. */
  itemsOnPage() {
    const isWhole = (/** @type {Element} */ cell) => {
      const r = cell.getBoundingClientRect()
      const isInside = r.height > 20 && r.top >= 0 && r.bottom <= document.documentElement.scrollHeight
      return isInside && cell.querySelector('img')?.naturalWidth > 0
    }
    const cells = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.row:not([hidden]) .cell:not([hidden])')])
    return cells.filter(isWhole).map((cell) => Number(cell.dataset.item))
  },

  /** Returns the document and the files that it names, as "Save page as" writes them. */
  copy: () => ({
    html: '<!doctype html>' + document.documentElement.outerHTML,
    files: [...document.querySelectorAll('link[href], script[src]')].map((e) => e.getAttribute('href') ?? e.getAttribute('src')),
  }),

  // MARK: Galleries

  /** Returns facts about the pictures of a demo for people: their kinds, shapes, places and years. */
  async library() {
    const cells = probe.visible()
    const shapes = cells.map((cell) => cell.clientWidth / cell.clientHeight)
    const { items } = await probe.get('/api/v1/galleries/demo/items?count=400')
    const { sections } = await probe.get('/api/v1/galleries/demo')
    /** @type {string[][]} */
    const titles = sections.map(({ title }) => title.match(/^(.+), (\p{L}+) (20\d\d)$/u) ?? [])
    return {
      striped: cells.filter((cell) => probe.number(cell) !== -2).length,
      kinds: new Set(items.map(({ title }) => title.replace(/ [\d]+$/, ''))).size,
      portrait: shapes.some((shape) => shape < 0.9),
      landscape: shapes.some((shape) => shape > 1.2 && shape < 1.8),
      panorama: shapes.some((shape) => shape > 1.9),
      places: new Set(titles.map(([, place]) => place)).size,
      years: new Set(titles.map(([, , , year]) => year)).size,
    }
  },

  // MARK: Screenshots

  /** Selects items, as soon as the code for it has loaded. @param {number[]} items */
  async select(...items) {
    for (const item of items) {
      await probe.until(() => {
        const cell = probe.cell(item)
        cell.dispatchEvent(new MouseEvent('click', { ctrlKey: true, bubbles: true, cancelable: true }))
        return 'selected' in cell.dataset
      }, 'a selected picture')
    }
  },

  /** Types a text in the search. Waits for suggestions. @param {string} text */
  async suggest(text) {
    const field = /** @type {HTMLInputElement} */ (document.querySelector('#search input'))
    await probe.until(() => !field.disabled, 'search')
    field.focus()
    field.value = text
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await probe.until(() => !document.getElementById('suggestions').hidden, 'suggestions')
  },

  /** Returns the size, the brightness (0 to 1) and the number of colours of an image. @param {string} image in Base64 */
  async imageFacts(image) {
    const { page } = pageProbe
    const bytes = Uint8Array.from(atob(image), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const context = new page.OffscreenCanvas(64, 64).getContext('2d')
    context.drawImage(bitmap, 0, 0, 64, 64)
    const { data } = context.getImageData(0, 0, 64, 64)
    let light = 0
    const colors = new Set()
    for (let i = 0; i < data.length; i += 4) {
      light += (data[i] + data[i + 1] + data[i + 2]) / (3 * 255 * 4096)
      colors.add(((data[i] >> 4) << 8) | ((data[i + 1] >> 4) << 4) | (data[i + 2] >> 4))
    }
    return { width: bitmap.width, height: bitmap.height, light, colors: colors.size }
  },

  /** Flings until some cells are ready, some are loading and some wait, so that a picture of the dashboard shows all of them. */
  async lookAround() {
    const fling = async (/** @type {number} */ speed, /** @type {number} */ length) => {
      const [began, from] = [performance.now(), probe.scroller.scrollTop]
      for (let t = 0; t < length; t = performance.now() - began) {
        probe.scroller.scrollTop = from + (speed * (0.998 ** t - 1)) / Math.log(0.998)
        await probe.frame()
      }
    }
    for (let turn = 0; turn < 6; turn++) await fling(3, 3500)
    const count = (/** @type {string} */ state) => probe.visible().filter((cell) => cell.dataset.ring === state).length
    const isTelling = () => count('loading') > 1 && count('ready') > 3 && count('asked') > 0
    for (let turn = 0; turn < 12 && !isTelling(); turn++) {
      await fling(6, 1500)
      for (const end = performance.now() + 2500; !isTelling() && performance.now() < end; ) await probe.frame()
    }
    if (!isTelling()) throw new Error('no moment worth a picture')
  },

  /** Waits until the left side of a race shows far fewer pictures than the right side, after a few flings, or for the verdict. */
  async raceMoment() {
    const race = document.getElementById('race')
    const [left, right] = [...race.querySelectorAll('article')].map((pane) => {
      const box = pane.querySelector('.view').getBoundingClientRect()
      const isInView = (/** @type {Element} */ cell) => {
        const r = cell.getBoundingClientRect()
        return r.height && r.bottom > box.top && r.top < box.bottom
      }
      return () => [...pane.querySelectorAll('.cell[data-state="waiting"]')].filter(isInView).length
    })
    const began = performance.now()
    const isTelling = () => performance.now() - began > 7000 && left() - right() > 13 && right() < 5
    await probe.until(() => race.dataset.state === 'done' || isTelling(), 'a telling moment', 55000)
  },
}
