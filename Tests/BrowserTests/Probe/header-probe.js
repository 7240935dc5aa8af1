// Questions of the tests to the header and its menus. A watcher leaves its notes on the window, where later calls find them.

const headerProbe = {
  /** The window, with the notes of the watchers. */
  page: /** @type {any} */ (window),

  /** Whether an element is visible. @param {string} selector @returns {boolean} */
  isShown: (selector) =>
    /** @type {any} */ (document.querySelector(selector))?.checkVisibility({ visibilityProperty: true }) ?? false,

  /** Whether the menu for sorting, grouping and filters can be opened. */
  canArrange: () => !(/** @type {HTMLButtonElement} */ (document.getElementById('arrange-open')).disabled),

  /** Whether the search field accepts text. */
  canSearch: () => !(/** @type {HTMLInputElement} */ (document.querySelector('#search input')).disabled),

  /** Whether a notice replaces the pictures. */
  hasNotice: () => !document.getElementById('notice').hidden,

  /** Returns the text about the number of pictures. */
  count: () => document.getElementById('count').textContent,

  /** Returns the details of the picture in the viewer. */
  details: () => document.querySelector('#viewer [data-part=details]').textContent,

  /** Returns the place of the search field. */
  searchBox: () => document.querySelector('#search input').getBoundingClientRect(),

  hasControls() {
    const names = ['density', 'search', 'arrange-open', 'go-open', 'full-screen', 'share-open', 'dashboard-toggle', 'keys-open']
    return names.every((name) => /** @type {any} */ (document.getElementById(name)).checkVisibility())
  },

  /** Returns the texts of the header, and which controls of the server are visible. */
  facts: () => ({
    title: document.getElementById('title').textContent,
    count: headerProbe.count(),
    layouts: [...document.querySelectorAll('#layout input')].map((input) => input.getAttribute('aria-label')),
    primary: [...document.querySelectorAll('#bar .primary')].map((button) => button.textContent),
    server: ['policy', 'prefetching', 'status', 'dashboard'].filter((name) =>
      /** @type {any} */ (document.getElementById(name)).checkVisibility(),
    ),
  }),

  /** Returns the titles of the policies, and the policies that have no title. */
  policies() {
    const options = [.../** @type {HTMLSelectElement} */ (document.getElementById('policy')).options]
    return {
      titles: options.map((option) => option.textContent),
      untitled: options.filter(({ textContent, value }) => textContent === value).map(({ value }) => value),
    }
  },

  /** Returns the controls that overlap an earlier one. */
  overlaps() {
    const all = /** @type {any[]} */ ([...document.querySelectorAll('#bar :is(h1, button, input:not([type=radio]), #layout)')])
    const controls = all.filter((control) => control.checkVisibility() && !control.closest('[popover]:not(#tools)'))
    const boxes = controls.map((control) => control.getBoundingClientRect())
    /** @param {DOMRect} a @param {DOMRect} b */
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
    return controls
      .filter((_, one) => boxes.some((box, other) => other < one && meet(box, boxes[one])))
      .map(({ id, name }) => id || name)
  },

  /** Returns the width of the scrollbar, and whether the scrubber is visible. */
  bars() {
    const bar = probe.scroller.offsetWidth - probe.scroller.clientWidth
    const style = getComputedStyle(document.getElementById('scrubber'))
    return { bar, rail: style.visibility === 'visible' && style.display !== 'none' }
  },

  /** Returns whether the button for a comparison is visible and disabled, its tooltip and its description. */
  comparison() {
    const button = /** @type {any} */ (document.getElementById('race-open'))
    return [button.checkVisibility(), button.disabled, button.title, button.getAttribute('aria-description')]
  },

  /** Notes in `seen` the visible controls of the first frame and of the last, and which of them have moved. */
  watchControls() {
    const seen = { places: {}, moves: [], first: [], now: [] }
    headerProbe.page.seen = seen
    /** @param {any} control */
    const name = (control) => control.id || (control.type === 'radio' ? control.value : control.name)
    const look = () => {
      const controls = /** @type {any[]} */ ([...document.querySelectorAll('#bar :is(button, input, fieldset)')])
      const shown = controls.filter((control) => control.checkVisibility({ visibilityProperty: true }))
      seen.now = shown.map(name)
      if (!seen.first.length) seen.first = seen.now
      for (const control of shown) {
        const { x, y } = control.getBoundingClientRect()
        const before = (seen.places[name(control)] ??= [x, y])
        const isThere = Math.abs(x - before[0]) <= 1 && Math.abs(y - before[1]) <= 1
        if (!isThere) seen.moves.push([name(control), before, [x, y]])
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  },

  /** Returns where the title over the pictures starts, how much wider than the pictures it is, and how high, in pixels. */
  titleBar() {
    const [bar, scroller] = [document.getElementById('stuck'), probe.scroller].map((element) => element.getBoundingClientRect())
    return [bar.left - scroller.left, bar.width - probe.scroller.clientWidth, bar.bottom - scroller.top]
  },

  /** Returns the opacity of the title over the pictures. */
  titleOpacity: () => Number(getComputedStyle(document.getElementById('stuck')).backgroundColor.match(/[\d.]+/g)[3] ?? 1),

  /** Returns the font sizes and easings in the stylesheets that the page's variables do not name. */
  styles() {
    const [sizes, easings] = [new Set(), new Set()]
    /** @param {any} rules */
    const walk = (rules) => {
      for (const rule of rules) {
        if (rule.style) {
          const size = rule.style.fontSize
          if (size && !/^(0px|inherit)$/.test(size)) sizes.add(size)
          for (const easing of [rule.style.transitionTimingFunction, rule.style.animationTimingFunction]) {
            if (easing && easing !== 'ease') easings.add(easing)
          }
        }
        if (rule.cssRules) walk(rule.cssRules)
      }
    }
    for (const sheet of document.styleSheets) walk(sheet.cssRules)
    return {
      sizes: [...sizes].filter((size) => !size.includes('var(--type-')),
      easings: [...easings].filter((easing) => easing !== 'linear' && !easing.includes('var(')),
    }
  },
}
