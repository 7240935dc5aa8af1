// Questions of the tests to the scrollbar, the scrubber, recorded scrolls and the search field of a large gallery. A watcher leaves its
// notes on the window, where later calls find them.

const scrollProbe = {
  /** The window, with the notes of the watchers. */
  page: /** @type {any} */ (window),

  /** Scrolls by some pixels in each of some frames. @param {number} pixels @param {number} frames */
  async scroll(pixels, frames) {
    for (let frame = 0; frame < frames; frame++) {
      probe.scroller.scrollTop += pixels
      await probe.frame()
    }
  },

  /** Returns how far the gallery can scroll, in pixels. */
  range: () => probe.scroller.scrollHeight - probe.scroller.clientHeight,

  /** Returns the text of the visible note, or an empty string. */
  note() {
    const note = /** @type {any} */ (document.getElementById('note'))
    return note.checkVisibility() ? note.textContent : ''
  },

  // Scrollbar

  /** Returns the width of the scrollbar, in pixels. */
  barWidth: () => probe.scroller.offsetWidth - probe.scroller.clientWidth,

  /** Gives the gallery a scrollbar that takes room, unless it has one. */
  widenBar() {
    if (scrollProbe.barWidth() > 2) return
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`
      #scroller { scrollbar-color: auto !important; scrollbar-width: auto !important }
      #scroller::-webkit-scrollbar { width: 15px !important }`)
    const { page } = scrollProbe
    page.document.adoptedStyleSheets = [...page.document.adoptedStyleSheets, sheet]
  },

  /** Returns the point of the scrollbar at three quarters of its height. */
  barPoint() {
    const { left, top, height } = probe.scroller.getBoundingClientRect()
    return { x: left + (probe.scroller.clientWidth + probe.scroller.offsetWidth) / 2, y: top + height * 0.75 }
  },

  /** Returns the place of the scrollbar, in pixels of the viewport. */
  bar() {
    const { right, top, bottom } = probe.scroller.getBoundingClientRect()
    return { x: right - 7, top, bottom }
  },

  // Scrubber

  /** Returns the place of the scrubber and its middle, in pixels of the viewport. */
  rail() {
    const { left, top, bottom, width, height } = document.getElementById('scrubber').getBoundingClientRect()
    return { left, top, bottom, height, x: left + width / 2, y: top + height / 2 }
  },

  /** Returns the scrubber's labels. */
  labels: () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll('#scrubber [data-part="labels"] span')]),

  /** Returns the place of a section's label. @param {string} section */
  label(section) {
    const box = scrollProbe.labels().find((label) => label.dataset.section === section).getBoundingClientRect()
    return { x: box.left + 10, top: box.top, isShown: box.height > 0 }
  },

  /** Returns the years that the scrubber names. */
  years: () => [...document.querySelectorAll('#scrubber [data-year]')].map((label) => label.textContent),

  /** Returns the label of the current section. */
  current: () => document.querySelector('#scrubber [data-part=current]').textContent,

  isCurrentBold: () => Number(getComputedStyle(document.querySelector('#scrubber [data-part=current]')).fontWeight) >= 600,

  /** Returns the number of the scrubber's labels, whether each is the title of a section, and the gallery's second section. */
  async sections() {
    const { sections } = await probe.get('/api/v1/galleries/demo')
    const titles = scrollProbe.labels().map((label) => label.dataset.section)
    const known = titles.every((title) => sections.some((section) => section.title === title))
    return { count: titles.length, known, second: sections[1] }
  },

  /** Whether the picture beside the scrubber is the picture that its number names. */
  hasPreview() {
    const image = /** @type {any} */ (document.querySelector('#scrubber [data-part="image"]'))
    const number = document.querySelector('#scrubber output').lastElementChild.textContent
    const item = Number(number.replaceAll(',', '')) - 1
    return image.checkVisibility() && image.src === probe.cell(item)?.querySelector('img').src
  },

  /** Returns the role of the scrubber, its value in words, and its value. */
  slider: () => ['role', 'aria-valuetext', 'aria-valuenow'].map((name) => document.getElementById('scrubber').getAttribute(name)),

  /** Returns the number of labels that overlap the label above. */
  overlaps() {
    const boxes = [...document.querySelectorAll('#scrubber span')].map((label) => label.getBoundingClientRect())
    const shown = boxes.filter(({ height }) => height).sort((a, b) => a.top - b.top)
    return shown.filter(({ top }, index) => index && top < shown[index - 1].top + 16).length
  },

  /** Returns the section titles within some pixels of the top of the gallery. @param {number} tolerance */
  titlesAtTop(tolerance) {
    const { top } = probe.scroller.getBoundingClientRect()
    return [...document.querySelectorAll('#headers .header')]
      .filter((header) => Math.abs(header.getBoundingClientRect().top - top) < tolerance)
      .map((header) => header.firstChild.textContent)
  },

  /** Returns the place and size of the handle on the scrubber. */
  handle() {
    const { left, top, width, height } = document.querySelector('#scrubber [data-part="here"]').getBoundingClientRect()
    return { x: left + width / 2, y: top + height / 2, size: Math.min(width, height) }
  },

  // Recording and replay

  /** Notes in `saved` the text of each file that the page saves. */
  catchFiles() {
    const { createObjectURL } = URL
    scrollProbe.page.saved = []
    /** @param {Blob} blob */
    URL.createObjectURL = (blob) => {
      blob.text().then((text) => scrollProbe.page.saved.push(text))
      return createObjectURL.call(URL, blob)
    }
  },

  /** Returns a trace of 900 samples, which scrolls by 8 px every 16 ms. */
  trace() {
    const samples = Array.from({ length: 900 }, (_, i) => ({ t: i * 16, y: i * 8, phase: 'wheel' }))
    const header = { version: 1, itemCount: 20000, viewport: { width: 600, height: 600 }, layout: { kind: 'masonry' } }
    return [header, ...samples].map((line) => JSON.stringify(line)).join('\n')
  },

  /** Drags a file over the page, or drops it. @param {'dragover' | 'drop'} type @param {string} text content of the file */
  drag(type, text) {
    const data = new DataTransfer()
    data.items.add(new File([text], 'scroll.ndjson'))
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
  },

  /** Returns whether the bar of a replay is hidden, and how far the gallery has scrolled. */
  playback: () => [document.getElementById('playing').hidden, probe.scroller.scrollTop],

  // Performance

  /** Scrolls at several speeds. Returns the largest number of cells, in screens, and the largest number of elements. */
  async countElements() {
    const seen = { worst: 0, nodes: 0 }
    const look = () => {
      const screen = Math.max(1, probe.visible().length)
      seen.worst = Math.max(seen.worst, document.querySelectorAll('.cell').length / screen)
      seen.nodes = Math.max(seen.nodes, document.querySelectorAll('*').length)
    }
    for (const speed of [40, 400, 700, 3000, -2000, -300]) {
      for (let frame = 0; frame < 40; frame++) {
        probe.scroller.scrollTop += speed
        await probe.frame()
        look()
      }
    }
    return seen
  },

  /** Notes in `__shifts` what shifts without input: a cell, or another element's source. */
  watchShifts() {
    scrollProbe.page.__shifts = []
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, sources } of /** @type {any[]} */ (list.getEntries())) {
        if (hadRecentInput) continue
        for (const { node } of sources) {
          scrollProbe.page.__shifts.push(probe.scroller.contains(node) ? 'cell' : node?.outerHTML ?? 'gone')
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  },

  /** Shifts a block on purpose. */
  async shiftBlock() {
    const block = document.createElement('div')
    block.style.cssText = 'position: fixed; inset: 300px auto auto 300px; width: 300px; height: 300px; background: red'
    document.body.append(block)
    await probe.frame()
    await probe.frame()
    block.style.top = '100px'
  },

  // Ten million items

  /** Whether the last item is visible with all of its cell. @param {number} last */
  isAtEnd(last) {
    if (probe.items().at(-1) !== last || !probe.filled()) return false
    const { top, height } = probe.box(last)
    return top + height <= probe.scroller.getBoundingClientRect().bottom
  },

  /** Returns whether the search field is disabled, its tooltip, its description and its placeholder. */
  searchField() {
    const field = /** @type {HTMLInputElement} */ (document.querySelector('#search input'))
    return [field.disabled, field.title, field.getAttribute('aria-description'), field.placeholder]
  },

  /** Notes in `states` what the search field shows, from the first frame in which it is visible and whenever that changes. */
  watchSearchField() {
    const states = []
    scrollProbe.page.states = states
    const look = () => {
      const field = /** @type {any} */ (document.querySelector('#search input'))
      if (field?.checkVisibility({ visibilityProperty: true })) {
        const now = scrollProbe.searchField()
        if (JSON.stringify(now) !== JSON.stringify(states.at(-1))) states.push(now)
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  },

  /** Returns whether all fields of the menu are disabled and described by the reason, and the reason if it is visible. */
  disabledMenu() {
    const form = /** @type {HTMLFormElement} */ (document.querySelector('#arrange [data-part=arrangement]'))
    const fields = /** @type {HTMLInputElement[]} */ ([...form.elements])
    const note = /** @type {any} */ (document.getElementById('arrange-reason'))
    return [
      fields.length > 6 && fields.every((field) => field.disabled && field.getAttribute('aria-description') === note.textContent),
      note.checkVisibility() && note.textContent,
    ]
  },
}
