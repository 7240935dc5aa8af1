// Questions of the tests to sorted, grouped and filtered galleries, and to selections. A watcher leaves its notes on the window, where
// later calls find them.

const arrangeProbe = {
  /** The window, with the notes of the watchers. */
  page: /** @type {any} */ (window),

  /** Clicks a button or box in the menu for sorting, grouping and filters, which it opens. @param {string} selector */
  clickInMenu(selector) {
    document.getElementById('arrange-open').click()
    const control = /** @type {HTMLElement} */ (document.querySelector(`#arrange ${selector}`))
    control.click()
  },

  openMenu() {
    if (!document.getElementById('arrange').matches(':popover-open')) document.getElementById('arrange-open').click()
  },

  /** Chooses a value of a select box. @param {string} selector @param {string} value */
  select(selector, value) {
    const select = /** @type {HTMLSelectElement} */ (document.querySelector(selector))
    select.value = value
    select.dispatchEvent(new Event('change'))
  },

  /** Returns the texts of the active filters. */
  filters: () =>
    [...document.querySelectorAll('#filters button')].map((chip) => /** @type {HTMLElement} */ (chip).innerText.trim()),

  /** Enters text in the dialog that leads to a picture. @param {string} text */
  enterPlace(text) {
    const field = /** @type {HTMLInputElement} */ (document.querySelector('#go [name=place]'))
    field.value = text
  },

  /** Returns the message that a place does not exist. */
  refusal: () => /** @type {HTMLElement} */ (document.querySelector('#go [data-part=nowhere]')).innerText,

  /** Whether the dialog is closed, and an item has the focus. @param {number} item */
  hasGoneTo: (item) =>
    probe.focused() === item && !(/** @type {HTMLDialogElement} */ (document.getElementById('go')).open),

  /**
   * Creates an arrangement of the demo gallery on the server. Returns its ID and the status of the response.
   * @param {Record<string, string>} arrangement
   */
  async arrange(arrangement) {
    const response = await fetch('/api/v1/galleries', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ of: 'demo', ...arrangement }),
    })
    return { id: (await response.json()).id, status: response.status }
  },

  /** Returns the numbers in the visible pictures. */
  numbers: () => probe.visible().map(probe.number),

  /**
   * Returns whether a script that names the same order gets the gallery of a session, and the numbers of its pictures.
   * @param {string} session
   */
  async compareOrder(session) {
    const { gallery } = await probe.get(`/api/v1/sessions/${session}`)
    const { id, status } = await arrangeProbe.arrange({ sort: 'name', order: 'descending' })
    const { items } = await probe.get(`/api/v1/galleries/${id}/items?count=${probe.items().length}`)
    return { isSame: id === gallery, status, originals: items.map((item) => item.original) }
  },

  // Dates

  /** Returns the first visible title and the newest month, and the month in the middle with its first item. */
  async months() {
    const { id } = await arrangeProbe.arrange({ sort: 'taken', order: 'descending', group: 'month' })
    const { months } = await probe.get(`/api/v1/galleries/${id}/timeline`)
    const words = './js/grid/picture-in-words.js' // a constant, because the path is relative to the page
    const { monthInWords } = await import(words)
    const middle = months[Math.floor(months.length / 2)]
    const [first] = document.querySelectorAll('#headers .header span')
    return {
      first: first.textContent,
      expected: monthInWords(months[0].month),
      middle: monthInWords(middle.month),
      item: middle.from,
    }
  },

  /** Scrolls until the date beside the scrubber is visible. */
  async scrollToDate() {
    await probe.until(() => {
      const date = /** @type {any} */ (document.querySelector('#scrubber [data-part=date]'))
      probe.scroller.scrollTop += 900
      return date.checkVisibility() && /^[A-Z][a-z]+ 20\d\d$/.test(date.textContent)
    }, 'the date')
  },

  // Place

  /** Whether more than 50 items are above the visible ones, which are ready. */
  isInMiddle: () => probe.items()[0] > 50 && probe.visible().every((cell) => cell.dataset.state === 'ready'),

  /** Whether all visible cells have the name of a picture of the camera. */
  areNamed: () => probe.visible().every((cell) => probe.name(cell).startsWith('IMG')),

  /** Returns the name and the top of each visible cell, in pixels of the viewport. */
  tops: () => probe.visible().map((cell) => [probe.name(cell), Math.round(cell.getBoundingClientRect().top)]),

  /** Returns the name of the first cell more than 40 px below the top of the gallery, and its distance from there. */
  first() {
    const { top } = probe.scroller.getBoundingClientRect()
    const cell = probe.visible().find((one) => one.getBoundingClientRect().top >= top + 40)
    return [probe.name(cell), Math.round(cell.getBoundingClientRect().top - top)]
  },

  /** Returns how far below the top of the gallery a picture is. @param {string} name */
  distance(name) {
    const cell = probe.visible().find((one) => probe.name(one) === name)
    return Math.round(cell?.getBoundingClientRect().top - probe.scroller.getBoundingClientRect().top)
  },

  /** Returns the names of the visible pictures that are ready. @returns {Set<string>} */
  whole() {
    const ready = probe.visible().filter((cell) => cell.dataset.state === 'ready')
    return new Set(ready.map((cell) => probe.name(cell)))
  },

  /** Notes the names of the visible pictures in `before`, and those of each frame in `frames`. */
  watchNames() {
    const { page } = arrangeProbe
    page.before = arrangeProbe.whole()
    page.__frames = []
    const look = () => {
      page.__frames.push(arrangeProbe.whole())
      requestAnimationFrame(look)
    }
    look()
  },

  /**
   * Returns how many pictures are visible both now and when `watchNames` began, and the largest number of them missing in a frame.
   * @param {Set<string>} now
   */
  lostNames(now) {
    const { before, __frames } = arrangeProbe.page
    const kept = [...before].filter((name) => now.has(name))
    return { kept: kept.length, worst: Math.max(...__frames.map((frame) => kept.filter((name) => !frame.has(name)).length)) }
  },

  /** Sends an event of fingers to the gallery. @param {string} type @param {unknown[]} touches */
  touch: (type, touches) => probe.scroller.dispatchEvent(Object.assign(new Event(type), { touches })),

  // Facts

  /** Returns the facts of the picture in the viewer. @returns {Record<string, string>} */
  facts: () =>
    Object.fromEntries(
      [...document.querySelectorAll('#viewer .details dt')].map((term) => [
        term.textContent,
        /** @type {HTMLElement} */ (term.nextElementSibling).innerText.replaceAll('\u00a0', ' '),
      ]),
    ),

  /** Follows the link in a fact of the picture in the viewer. @param {string} name */
  followFact(name) {
    const terms = [...document.querySelectorAll('#viewer .details dt')]
    const fact = terms.find(({ textContent }) => textContent === name).nextElementSibling
    const link = /** @type {HTMLElement} */ (fact.firstChild)
    link.click()
  },

  // Selection

  /** Returns the text of the selection's bar, the visible items marked as selected, and whether `aria-selected` agrees. */
  selection() {
    const bar = document.getElementById('selected')
    const marked = probe.visible().filter((cell) => 'selected' in cell.dataset)
    return {
      words: bar.hidden ? '' : bar.querySelector('b').textContent,
      items: marked.map((cell) => Number(cell.dataset.item)),
      agrees: probe.visible().every((cell) => (cell.getAttribute('aria-selected') === 'true') === ('selected' in cell.dataset)),
    }
  },

  /** Moves a mouse over the second cell. Returns the circle that selects it, or null. */
  hover() {
    probe.cell(1).dispatchEvent(new PointerEvent('pointerover', { pointerType: 'mouse', bubbles: true }))
    return document.querySelector('.cell .pick')
  },

  /** Presses X on the focused cell. Returns whether something is selected. */
  pressX() {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true, cancelable: true }))
    return !document.getElementById('selected').hidden
  },

  /** Returns the button that downloads the selection. */
  archiveButton: () => /** @type {HTMLElement} */ (document.querySelector('#selected [data-action=archive]')),

  /** Counts in `blobs` the files that the page makes, which fail. */
  refuseBlobs() {
    arrangeProbe.page.blobs = 0
    URL.createObjectURL = () => {
      arrangeProbe.page.blobs++
      throw Error('the page holds the file')
    }
  },

  /** Waits until the server knows the size of each picture. */
  async sizesKnown() {
    let items = []
    while (!items.length || items.some(({ bytes }) => !bytes)) items = (await probe.get('api/v1/galleries/pictures/items')).items
  },

  /** Requests downloads until the server refuses one. */
  async fillDownloads() {
    const body = JSON.stringify({ items: [0] })
    const headers = { 'content-type': 'application/json' }
    let status = 201
    while (status === 201) {
      status = (await fetch('api/v1/galleries/pictures/downloads', { method: 'POST', body, headers })).status
    }
  },

  // Suggestions

  searchField: () => /** @type {HTMLInputElement} */ (document.querySelector('#search input')),

  /** Types a text in the search field. @param {string} text */
  search(text) {
    const field = arrangeProbe.searchField()
    field.focus()
    field.value = text
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  },

  /** Whether the suggestion that the search field names as active is selected. */
  isSuggestionSelected() {
    const active = arrangeProbe.searchField().getAttribute('aria-activedescendant')
    return document.getElementById(active).ariaSelected === 'true'
  },

  /** Returns the texts of the suggested filters. */
  suggestions: () =>
    [...document.querySelectorAll('#suggestions:not([hidden]) li')].map((option) =>
      /** @type {HTMLElement} */ (option).innerText.replace(/\s+/g, ' '),
    ),
}
