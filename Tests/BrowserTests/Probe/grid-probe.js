// Questions of the tests to the grid and the first screen. A watcher leaves its notes on the window, where later calls find them.

const gridProbe = {
  /** The window, with the notes of the watchers. */
  page: /** @type {any} */ (window),

  /** @param {string} selector */
  all: (selector) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]),

  /** Imports a module of the page. @param {string} path @returns {Promise<any>} */
  load: (path) => import(path),

  /** Whether the page has loaded a file. @param {string} ending how the file's address ends */
  hasLoaded: (ending) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(ending)),

  /** Whether more than `count` cells are visible, and all of them are ready. */
  isReady(count = 0) {
    const cells = probe.visible()
    return cells.length > count && cells.every((cell) => cell.dataset.state === 'ready')
  },

  /** Whether each visible cell has the shape of its picture. @param {number} tolerance largest difference, as a part of the shape */
  areShaped(tolerance) {
    const cells = probe.visible()
    return (
      cells.length > 0 &&
      cells.every((cell) => {
        const [image, box] = [cell.querySelector('img'), cell.getBoundingClientRect()]
        const shape = image.naturalWidth / image.naturalHeight
        return image.naturalWidth > 0 && Math.abs(box.width / box.height / shape - 1) < tolerance
      })
    )
  },

  columns: () => Number(document.getElementById('grid').getAttribute('aria-colcount')),

  /** Moves the control for the size. @param {number} size */
  setSize(size) {
    const control = /** @type {HTMLInputElement} */ (document.getElementById('density'))
    control.value = String(size)
    control.dispatchEvent(new Event('input'))
  },

  images: () => /** @type {HTMLImageElement[]} */ ([...document.querySelectorAll('.cell img')]),

  /** Whether the browser draws an image, or the sign of a broken one. @param {HTMLImageElement} image */
  isDrawn: (image) => image.checkVisibility({ visibilityProperty: true }),

  isViewerOpen: () => /** @type {HTMLDialogElement} */ (document.getElementById('viewer')).open,

  /** Whether a section title is at the top of the gallery. */
  hasTitle: () => !document.getElementById('stuck').hidden,

  /** Returns the lower edge of the section title at the top of the gallery, in pixels of the viewport. */
  titleBottom: () => document.getElementById('stuck').getBoundingClientRect().bottom,

  /** Returns the first item of which more than `margin` pixels lie below the section title. @param {number} margin */
  firstBelowTitle(margin) {
    const covered = gridProbe.titleBottom()
    return Number(probe.visible().find((cell) => cell.getBoundingClientRect().bottom > covered + margin).dataset.item)
  },

  /** Returns the first cell that ends more than 56 px below the top of the gallery. */
  firstClear() {
    const { top } = probe.scroller.getBoundingClientRect()
    return probe.visible().find((cell) => cell.getBoundingClientRect().bottom > top + 56)
  },

  /** Whether an item is in the row of the first clear cell. @param {number} item */
  isInFirstRow(item) {
    /** @param {HTMLElement} cell */
    const top = (cell) => cell?.getBoundingClientRect().top
    return top(probe.cell(item)) === top(gridProbe.firstClear())
  },

  /** Returns the item in the middle of the screen, and its place. */
  middle() {
    const cells = probe.visible()
    const item = Number(cells[Math.floor(cells.length / 2)].dataset.item)
    return { item, ...probe.box(item) }
  },

  /** Whether an item's cell lies across a height of the viewport. @param {number} item @param {number} y */
  isAt(item, y) {
    const box = probe.box(item)
    return box && box.top <= y && box.top + box.height >= y
  },

  /** Returns the place in the address, and the top of the item that it names. */
  place() {
    const [place] = location.search.match(/item=\d+/)
    return [place, probe.box(Number(place.slice(5))).top]
  },

  // Cells

  /** Returns the tooltip of a cell's link, then the item, the layout and the place in its address. */
  link() {
    const link = /** @type {HTMLAnchorElement} */ (document.querySelector('.link'))
    const { searchParams } = new URL(link.href)
    return [link.title, searchParams.get('view'), searchParams.get('layout'), searchParams.get('item')]
  },

  /** Notes each click of another button than the first, and prevents its effect. */
  catchClicks() {
    gridProbe.page.__opened = []
    addEventListener('auxclick', (event) => {
      gridProbe.page.__opened.push([event.button, /** @type {HTMLAnchorElement} */ (event.target).href])
      event.preventDefault()
    })
  },

  /** Returns the opacity of a picture as soon as it has loaded, whether it has pixels, and the number of its animations. */
  async opacityAfterLoad() {
    const { Cell } = await gridProbe.load('./js/grid/cell.js')
    const { ThumbnailCache } = await gridProbe.load('./js/thumbnails/thumbnail-cache.js')
    const thumbnails = new ThumbnailCache()
    const cell = new Cell({ thumbnails, describe: () => 'a name', hash: () => null, color: () => '' })
    const layer = document.querySelector('#grid .row')
    layer.append(cell.element)
    cell.place(0, 0, 40, 30)
    cell.assign(1, true)
    await probe.frame()
    const data = document.createElement('canvas').toDataURL('image/jpeg').split(',')[1]
    thumbnails.receive({ item: 1, tier: 'full', width: 40, height: 30, mediaType: 'image/jpeg', data })
    cell.refresh()
    const image = cell.element.querySelector('img')
    if (!image.complete) await new Promise((resolve) => image.addEventListener('load', resolve))
    const opacity = getComputedStyle(image).opacity
    cell.element.remove()
    return [opacity, image.naturalWidth > 0, image.getAnimations().length]
  },

  /** Returns the state of a cell and its number of pictures: with a preview, with the picture, and with a broken preview. */
  async previewStates() {
    const { Cell } = await gridProbe.load('./js/grid/cell.js')
    const { ThumbnailCache } = await gridProbe.load('./js/thumbnails/thumbnail-cache.js')
    const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 30 })
    canvas.getContext('2d').fillRect(0, 0, 40, 30)
    const data = canvas.toDataURL('image/jpeg').split(',')[1]
    const picture = { width: 40, height: 30, mediaType: 'image/jpeg', data }
    const thumbnails = new ThumbnailCache()
    const cell = new Cell({ thumbnails, describe: () => 'a name', hash: () => null, color: () => '' })
    document.body.append(cell.element)
    /** @param {string} state */
    const shows = async (state) => {
      for (let turn = 0; turn < 200 && cell.state !== state; turn++) await probe.frame()
      return [cell.state, [...cell.element.querySelectorAll('img')].filter((image) => image.naturalWidth).length]
    }
    const states = []
    thumbnails.receive({ ...picture, item: 1, tier: 'preview' })
    cell.assign(1, true)
    states.push(await shows('preview'))
    thumbnails.receive({ ...picture, item: 1, tier: 'full', data: canvas.toDataURL('image/jpeg', 0.5).split(',')[1] })
    cell.refresh()
    states.push(await shows('ready'))
    thumbnails.receive({ ...picture, item: 2, tier: 'preview', data: 'AAAA' })
    cell.assign(2, true)
    for (let turn = 0; turn < 200 && thumbnails.get(2); turn++) await probe.frame()
    states.push(await shows('waiting'))
    cell.element.remove()
    return states
  },

  failed: () => probe.visible().filter((cell) => cell.dataset.state === 'failed'),

  /** Waits until some pictures are ready and some have failed. Throws if a failure gives no reason. */
  async checkReasons() {
    await probe.until(
      () => probe.items()[0] > 1000 && gridProbe.failed().length > 2 && probe.visible().some((cell) => cell.dataset.state === 'ready'),
      'some pictures and some failures',
    )
    const reasons = gridProbe.failed().map((cell) => cell.querySelector('.problem small').textContent)
    if (!reasons.every(Boolean)) throw new Error(`no reason: ${JSON.stringify(reasons)}`)
  },

  /** Clicks the failed cells until each visible cell shows its picture. */
  async retry() {
    await probe.until(() => {
      // A cell may become ready meanwhile, and a click on a picture opens it.
      for (const cell of probe.visible()) if (cell.dataset.state === 'failed') cell.click()
      return probe.filled()
    }, 'their pictures')
  },

  // Keyboard

  areRowsInOrder() {
    const rows = gridProbe.all('.row:not([hidden])').map((row) => Number(row.getAttribute('aria-rowindex')))
    return rows.every((row, index) => index === 0 || row > rows[index - 1])
  },

  /** Covers the gallery with a plain page of its size, and focuses it. */
  addPlainPage() {
    const [plain, content] = [document.createElement('div'), document.createElement('div')]
    const { scrollPaddingTop } = getComputedStyle(probe.scroller)
    Object.assign(plain, { id: 'plain', tabIndex: -1 })
    plain.append(content)
    content.style.height = '100000px'
    plain.addEventListener('keydown', (event) => event.stopPropagation())
    Object.assign(plain.style, {
      position: 'absolute',
      inset: '0 0 auto',
      zIndex: 10,
      overflow: 'hidden scroll',
      scrollPaddingTop,
      height: `${probe.scroller.clientHeight}px`,
    })
    probe.scroller.parentElement.append(plain)
    plain.focus()
  },

  /** Returns the start of the focused element's source, and whether it shows the focus. */
  focusShown() {
    const element = document.activeElement
    if (element === document.body) return { name: 'browser', shows: true } // its own buttons come in between
    const rings = [element, element.closest('label')].filter(Boolean).map((one) => getComputedStyle(one))
    if (element.matches('.cell')) rings.push(getComputedStyle(element, '::after'))
    return {
      name: element.outerHTML.slice(0, 160),
      shows: rings.some((ring) => (ring.outlineStyle !== 'none' && parseFloat(ring.outlineWidth) >= 1) || ring.boxShadow !== 'none'),
    }
  },

  /**
   * Returns the number of pixels along the left side of the focused cell that lack a ring's colour, and the better ring's contrast on
   * the gray that suits both rings worst.
   * @param {string} screenshot in base64
   */
  async ringsSeen(screenshot) {
    const bytes = Uint8Array.from(atob(screenshot), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const context = new gridProbe.page.OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context.drawImage(bitmap, 0, 0)
    const scale = bitmap.width / innerWidth
    const box = document.activeElement.getBoundingClientRect()
    /** @param {number} x @param {number} y */
    const pixel = (x, y) => [...context.getImageData(Math.floor(x * scale), Math.floor(y * scale), 1, 1).data].slice(0, 3)
    const style = getComputedStyle(document.activeElement, '::after')
    const rings = [
      { depth: 1.5, colour: style.borderLeftColor.match(/[\d.]+/g).map(Number) },
      { depth: 4, colour: style.outlineColor.match(/[\d.]+/g).map(Number) },
    ]
    let covered = 0
    for (let y = box.top + 32; y < box.bottom - 20; y += 4) {
      for (const { depth, colour } of rings) {
        if (pixel(box.left + depth, y).some((value, i) => Math.abs(value - colour[i]) > 4)) covered += 1
      }
    }
    /** @param {number[]} colour */
    const light = (colour) => {
      const [r, g, b] = colour.map((v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    /** @param {number} a @param {number} b */
    const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    const lights = rings.map(({ colour }) => light(colour))
    let worst = Infinity
    for (let gray = 0; gray <= 1; gray += 0.005) worst = Math.min(worst, Math.max(...lights.map((one) => contrast(one, gray))))
    return { covered, worst, colours: rings.map(({ colour }) => colour.join()) }
  },

  // Layouts and sizes

  /** Notes in `lost` each item that stays visible but whose picture is gone for a frame. */
  watchLost() {
    gridProbe.page.lost = []
    let shown = new Set()
    /** @param {HTMLElement} cell */
    const item = (cell) => Number(cell.dataset.item)
    const look = () => {
      const cells = probe.visible()
      for (const cell of cells) if (shown.has(item(cell)) && !probe.hasPicture(cell)) gridProbe.page.lost.push(item(cell))
      shown = new Set(cells.filter(probe.hasPicture).map(item))
      requestAnimationFrame(look)
    }
    look()
  },

  /** Turns the wheel over a cell with the Control key held. Returns the item under the pointer, and the pointer's height. */
  zoomByWheel() {
    const cell = probe.visible()[14]
    const { left, top, width, height } = cell.getBoundingClientRect()
    const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true }
    const item = Number(cell.dataset.item) // the cell may soon be another's
    dispatchEvent(new KeyboardEvent('keydown', { key: 'Control' }))
    cell.dispatchEvent(new WheelEvent('wheel', { ...at, ctrlKey: true, deltaY: -120 }))
    dispatchEvent(new KeyboardEvent('keyup', { key: 'Control' }))
    return { item, y: at.clientY }
  },

  /**
   * Scrolls until a section's title pushes the one at the top away. Returns the gap between them, and whether the one at the top has
   * moved.
   * @param {string} title
   */
  async pushTitle(title) {
    const header = () => gridProbe.all('#headers .header').find((one) => one.firstChild.textContent === title)
    const stuck = document.getElementById('stuck')
    const top = probe.scroller.getBoundingClientRect().top
    // Slowly past the place where the next title appears.
    await probe.until(() => {
      probe.scroller.scrollTop += header() ? 10 : 300
      return header()?.getBoundingClientRect().top - top < 40
    }, 'the next title')
    await probe.frame()
    const [here, there] = [stuck.getBoundingClientRect(), header().getBoundingClientRect()]
    return { gap: there.top - here.bottom, above: here.top < top }
  },

  /**
   * Scrolls to items of unknown shapes and watches the first visible cell in each frame. Notes in `__jump` how far the cell moved, as a
   * part of its height, and in `__changes` how often its size changed.
   */
  async watchShapes() {
    const { page } = gridProbe
    probe.scroller.scrollTop = probe.scroller.scrollHeight * 0.6
    await probe.until(() => probe.scroller.scrollTop > 0 && probe.items()[0] > 60, 'further down')
    page.__jump = 0
    page.__changes = 0
    let last = null
    // A resize observer sees the state that is about to be painted, after all that the page does in a frame.
    const beat = document.body.appendChild(document.createElement('i'))
    beat.style.cssText = 'position: fixed; visibility: hidden; height: 1px'
    /** @param {number} time */
    const tick = (time) => {
      beat.style.width = `${1 + (time % 7)}px`
      requestAnimationFrame(tick)
    }
    const look = () => {
      const top = probe.scroller.getBoundingClientRect().top
      if (last) {
        const box = probe.cell(last.item)?.getBoundingClientRect()
        page.__jump = Math.max(page.__jump, box ? Math.abs((top - box.top) / box.height - last.hidden) : 9)
        if (box && Math.abs(box.height - last.height) > 1) page.__changes += 1
      }
      const cell = probe.visible()[0]
      const box = cell?.getBoundingClientRect()
      last = box && { item: Number(cell.dataset.item), hidden: (top - box.top) / box.height, height: box.height }
    }
    new ResizeObserver(look).observe(beat)
    requestAnimationFrame(tick)
    await probe.frame()
    await probe.frame()
  },

  // Pictures

  /**
   * Scrolls, resizes and switches layouts at random. Returns the number of pictures seen.
   * Throws if a cell shows another item's picture.
   * @param {number} frames
   */
  async scrollWildly(frames) {
    let [pictures, seed] = [0, 7]
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647
    const end = performance.now() + 60000
    for (let frame = 0; frame < frames || (pictures <= 300 && performance.now() < end); frame++) {
      const step = random()
      if (step < 0.03) gridProbe.setSize(2 + Math.floor(random() * 3))
      else if (step < 0.04) probe.choose(['grid', 'masonry', 'justified'][Math.floor(random() * 3)])
      else if (step < 0.08) probe.scroller.scrollTop = random() * 30000
      else if (step < 0.6) probe.scroller.scrollTop += (random() - 0.4) * 900
      await probe.frame()
      const stranger = probe.stranger()
      if (stranger) throw new Error(`a cell shows another picture: ${JSON.stringify(stranger)}`)
      pictures += probe.visible().filter((cell) => probe.number(cell) >= 0).length
    }
    return pictures
  },

  /** Notes in `__seen` how often a picture changed and how often a cell was blank then. */
  watchReplacements() {
    const { page } = gridProbe
    page.__seen = { changes: 0, blank: 0 }
    page.__from = new Map(probe.visible().map((cell) => [cell, cell.querySelector('img').naturalWidth]))
    const look = () => {
      page.__seen.changes += 1
      for (const cell of probe.visible()) if (!cell.querySelector('img')?.naturalWidth) page.__seen.blank += 1
    }
    // An observer misses no change, however few frames there are.
    page.__watch = new MutationObserver(look)
    const changes = { subtree: true, childList: true, attributes: true, attributeFilter: ['src'] }
    page.__watch.observe(document.getElementById('grid'), changes)
  },

  /** Whether each visible cell shows one picture, which is larger than it was when `watchReplacements` began. */
  areReplaced: () =>
    probe.visible().every((cell) => {
      const images = [...cell.querySelectorAll('img')]
      return images.length === 1 && images[0].naturalWidth > gridProbe.page.__from.get(cell)
    }),

  /** Returns for each visible cell how far its blur differs from its own picture and from another's, of 255. */
  async blurDistances() {
    const { draw } = await gridProbe.load('./js/thumbnails/thumb-hash.js')
    const cells = probe.visible()
    const first = Number(cells[0].dataset.item)
    const response = await fetch(`api/v1/galleries/demo/placeholders?from=${first}&count=${cells.length}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const blurs = cells.map((_, index) => {
      const canvas = document.createElement('canvas')
      draw(bytes.subarray(index * 25, index * 25 + 25), canvas)
      return canvas
    })
    /** @param {HTMLCanvasElement | HTMLImageElement} source @param {{ width: number, height: number }} size */
    const pixels = (source, { width, height }) => {
      const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
      context.imageSmoothingQuality = 'high'
      context.drawImage(source, 0, 0, width, height)
      return context.getImageData(0, 0, width, height).data
    }
    /** @param {HTMLCanvasElement} blur @param {HTMLElement} cell */
    const distance = (blur, cell) => {
      const [drawn, picture] = [pixels(blur, blur), pixels(cell.querySelector('img'), blur)]
      return drawn.reduce((sum, value, index) => sum + Math.abs(value - picture[index]), 0) / drawn.length
    }
    return blurs.map((blur, index) => [distance(blur, cells[index]), distance(blur, cells[(index + 7) % cells.length])])
  },

  /** Returns the number of blocks of 64 placeholders that the page has loaded. */
  placeholderBlocks() {
    const blocks = new Set()
    for (const { name } of performance.getEntriesByType('resource')) {
      if (!name.includes('/placeholders?')) continue
      const { searchParams } = new URL(name)
      const [from, count] = ['from', 'count'].map((key) => Number(searchParams.get(key)))
      for (let block = from / 64; block < (from + count) / 64; block++) blocks.add(block)
    }
    return blocks.size
  },

  /** Jumps, then scrolls a screen a frame. Returns the number of cells seen, and of those without a picture or blur. */
  async jumpAndDrag() {
    const { scroller } = probe
    let [grey, cells] = [0, 0]
    const limit = scroller.scrollHeight - scroller.clientHeight
    const places = [0.5, 0.1, 0.95, 0.3, 1, 0]
    for (let top = 0; top < limit; top += scroller.clientHeight) places.push(top / limit)
    for (const place of places) {
      scroller.scrollTop = place * limit
      await probe.frame()
      await probe.frame()
      cells += probe.visible().length
      grey += probe.grey()
    }
    return { grey, cells }
  },

  /** Notes in `seen` how many pixels each cell shows in each frame. Runs before the page's own scripts. */
  watchWidths() {
    const seen = { widths: new Map(), small: 0, better: 0, lost: 0 }
    gridProbe.page.seen = seen
    const look = () => {
      for (const cell of gridProbe.all('.cell')) {
        const { item } = cell.dataset
        const now = Math.max(0, ...[...cell.querySelectorAll('img')].map((image) => image.naturalWidth))
        const before = seen.widths.get(item) ?? 0
        if (now && now <= 64 && !before) seen.small += 1
        if (now > 64 && before && before <= 64) seen.better += 1
        if (before && !now) seen.lost += 1
        seen.widths.set(item, now)
      }
      requestAnimationFrame(look)
    }
    look()
  },

  // Small sections

  /** Returns how the titles of the first row of sections are placed. */
  titlesInRow() {
    const headers = gridProbe.all('#headers .header')
    const titles = headers.map((header) => {
      const [box, name] = [header.getBoundingClientRect(), /** @type {HTMLElement} */ (header.firstChild)]
      const text = name.getBoundingClientRect()
      return { name: name.textContent, top: box.top, left: text.left, right: text.right, said: name.title, level: header.tagName }
    })
    const first = titles.filter(({ top }) => Math.abs(top - titles[0].top) < 1)
    /** @param {HTMLElement} cell */
    const top = (cell) => cell.getBoundingClientRect().top
    return {
      first: first.length,
      apart: first.every(({ right }, index) => index + 1 === first.length || right <= first[index + 1].left),
      over: first.every(({ left }) => probe.visible().some((cell) => Math.abs(cell.getBoundingClientRect().left - left) < 2)),
      said: first.every(({ name, said, level }) => /kind \d\d$/.test(said) && name.slice(-2) === said.slice(-2) && level === 'H2'),
      ends: headers.every((header) => {
        const end = header.querySelector('b')
        return !end || end.getBoundingClientRect().right <= header.getBoundingClientRect().right + 1
      }),
      firstRow: probe.visible().filter((cell) => Math.abs(top(cell) - top(probe.visible()[0])) < 1).length,
    }
  },

  /** Returns for each visible label of the rail whether its middle is cut and its end is visible. */
  railLabels() {
    const rail = document.getElementById('scrubber').getBoundingClientRect()
    const labels = gridProbe.all('#scrubber [data-part=labels] span')
    return labels
      .filter((label) => /** @type {any} */ (label).checkVisibility({ visibilityProperty: true }))
      .map((label) => {
        const [head, tail] = label.children
        const isCut = head.textContent.endsWith('…') || head.scrollWidth > head.clientWidth
        return isCut && tail.textContent.length > 1 && tail.getBoundingClientRect().right <= rail.right
      })
  },

  /** Scrolls down a little. Returns how far each title at the top is from its section's title below, sideways. */
  async stuckOffsets() {
    probe.scroller.scrollTop = 80
    await probe.until(gridProbe.hasTitle, 'the titles at the top')
    return gridProbe.all('#stuck .header').map((header) => {
      const below = gridProbe.all('#headers .header').find((other) => other.textContent === header.textContent)
      return Math.abs(below.getBoundingClientRect().left - header.getBoundingClientRect().left)
    })
  },

  /** Returns the first difference between the page's grid and the server's, over many widths and sizes, or null. */
  async layoutDifference() {
    const { GridLayout } = await gridProbe.load('./js/layout/grid-layout.js')
    const { layoutOptions } = await gridProbe.load('./js/layout/layout-options.js')
    const gallery = (await probe.get('/api/v1/galleries')).galleries[0]
    for (let round = 0; round < 60; round++) {
      const width = 160 + round * 37
      const options = layoutOptions({ width, density: round % 6, titled: round % 7 > 0 })
      const layout = { ...options, smallSectionLimit: round % 5 }
      const response = await fetch('/api/v1/sessions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ gallery: gallery.id, layout, viewport: { width, height: 400 }, prefetching: false }),
      })
      const session = await response.json()
      const { frames } = await probe.get(`/api/v1/sessions/${session.id}/layout`)
      fetch(`/api/v1/sessions/${session.id}`, { method: 'DELETE' })
      const page = new GridLayout(layout, width, gallery.sections, gallery.itemCount)
      if (Math.abs(page.contentHeight - session.contentHeight) > 1e-6) {
        return { round, here: page.contentHeight, there: session.contentHeight }
      }
      for (let item = 0; item < gallery.itemCount; item++) {
        const { x, y, width, height } = page.frame(item)
        const [here, there] = [[x, y, width, height], frames.slice(item * 4, item * 4 + 4)]
        if (here.some((value, index) => Math.abs(value - there[index]) > 0.0051)) return { round, item, here, there }
      }
    }
    return null
  },

  /** Presses End, Down and Up from the first cell. Returns where they lead. */
  async walk() {
    probe.cell(0).focus()
    /** @param {string} key */
    const press = async (key) => {
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      await probe.frame()
      await probe.frame()
      return probe.focused()
    }
    const before = probe.box(0).y
    const end = await press('End')
    const level = Math.abs(probe.box(end).y - before) < 1
    const down = await press('ArrowDown')
    const below = probe.box(down).y > before
    const up = await press('ArrowUp')
    const back = Math.abs(probe.box(up).y - before) < 1
    return { end, level, below, back }
  },

  /** Presses Down four times on the rail. Returns where the gallery has scrolled to after each. */
  async stepOnRail() {
    const rail = document.getElementById('scrubber')
    probe.scroller.scrollTop = 0
    const tops = []
    for (let i = 0; i < 4; i++) {
      rail.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))
      await probe.calm()
      tops.push(probe.scroller.scrollTop)
    }
    return tops
  },

  /** Returns for each printed section how many pictures it has if they are few, or an empty string. */
  async printedSections() {
    await probe.until(() => dispatchEvent(new Event('beforeprint')) && document.querySelector('#print li'), 'paper')
    const few = gridProbe.all('#print section').map((section) => section.dataset.few ?? '')
    dispatchEvent(new Event('afterprint'))
    return few
  },

  // First screen

  /** Returns the address of the page's first script. */
  boot: () => /** @type {HTMLScriptElement} */ (document.querySelector('script[src*="/js/boot.js"]')).src,

  /** Loads the parts of the page that load last, with their dependencies. */
  loadAll() {
    const parts = [
      'print/print',
      'galleries/switcher',
      'scroll/hints',
      'arrange/arranging',
      'select/selection',
      'sharing/scroll-sharing',
      'viewer/viewer',
      'dashboard/dashboard',
      'story/first-visit',
    ]
    return Promise.all(parts.map((part) => gridProbe.load(new URL(`${part}.js`, gridProbe.boot()).href)))
  },

  /** Returns the page's requests for a session. */
  sessionRequests: () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/v1/sessions')),

  /** Returns for each request for a session whether it started before the page's code did. */
  areSessionsFirst() {
    const main = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/js/main.js'))
    return gridProbe.sessionRequests().map(({ startTime }) => startTime <= main.startTime)
  },

  /** Returns the number of sessions that the server has open. @returns {Promise<number>} */
  openSessions: async () => (await probe.get('/api/v1/stats')).sessions[0].value,

  /** Returns whether the page has more than 40 scripts and stylesheets, and which of them came over the network. */
  transferredFiles() {
    const entries = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource'))
    const files = entries.filter(({ name }) => /\.(js|css)$/.test(name))
    return [files.length > 40, files.filter(({ transferSize }) => transferSize > 0).map(({ name }) => name)]
  },

  /** Notes in `framed` the titles, the scrubber and its labels, from the first frame with cells and whenever they change. */
  watchFrame() {
    const framed = []
    gridProbe.page.framed = framed
    /** @param {string} selector */
    const shown = (selector) => gridProbe.all(selector).filter((element) => /** @type {any} */ (element).checkVisibility())
    /** @param {HTMLElement} element */
    const placed = (element) => {
      const { x, y, width } = element.getBoundingClientRect()
      return [element.textContent, Math.round(x), Math.round(y), Math.round(width)]
    }
    const look = () => {
      const now = {
        titles: shown('#headers h2').map(placed),
        isScrubberShown: shown('#scrubber').length === 1,
        labels: shown('#scrubber :is([data-part=labels] span, [data-part=current], [data-part=here])').map(placed),
      }
      const isAnother = JSON.stringify(now) !== JSON.stringify(framed.at(-1))
      if (shown('#grid .row:not([hidden]) .cell:not([hidden])').length && isAnother) framed.push(now)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  },

  /** Notes in `seen` the cells drawn before the page connects, those that lost their picture, and those that moved. */
  watchCells() {
    const seen = { cells: new Map(), went: [], moved: [] }
    gridProbe.page.seen = seen
    const look = () => {
      for (const cell of gridProbe.all('#grid .row:not([hidden]) .cell:not([hidden])')) {
        const item = cell.dataset.item
        const { left, top } = cell.getBoundingClientRect()
        const before = seen.cells.get(item)
        const isShown = Boolean(cell.querySelector('img')?.naturalWidth)
        if (before && (before.left !== left || before.top !== top)) seen.moved.push(item)
        if (before?.isShown && !isShown) seen.went.push(item)
        if (before || !document.documentElement.dataset.connection) seen.cells.set(item, { left, top, isShown })
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  },
}
