// Questions of the tests to the viewer.

const viewerProbe = {
  page: /** @type {any} */ (window),

  isOpen: () => viewerProbe.dialog.open,

  get dialog() {
    return /** @type {HTMLDialogElement} */ (document.getElementById('viewer'))
  },

  /** Returns an element of the viewer. @param {string} selector */
  find: (selector) => /** @type {any} */ (viewerProbe.dialog.querySelector(selector)),

  /** @param {string} name */
  part: (name) => viewerProbe.find(`[data-part="${name}"]`),

  /** Presses the button of an action. @param {string} action */
  press: (action) => viewerProbe.find(`[data-action="${action}"]`).click(),

  /** Returns the place of an element, in pixels of the viewport. @param {string} selector @returns {DOMRect} */
  box: (selector) => viewerProbe.find(selector).getBoundingClientRect(),

  get picture() {
    return /** @type {any} */ (viewerProbe.part('picture'))
  },

  /** The text below the name: the number of the picture and its facts. @returns {string} */
  get facts() {
    return viewerProbe.part('facts').textContent
  },

  /** Whether the viewer shows all of its picture. */
  isShown: () => viewerProbe.isOpen() && !viewerProbe.find('[data-loading]') && viewerProbe.find('img').naturalWidth > 0,

  /** Whether the viewer shows an item whose facts begin with `number`. @param {number} item @param {string} number */
  isAt: (item, number) =>
    location.search.includes(`view=${item}`) && viewerProbe.isShown() && viewerProbe.facts.startsWith(`${number} of`),

  /** Whether the facts of the picture have loaded. */
  hasFacts: () => viewerProbe.dialog.querySelectorAll('.details dt').length > 4,

  /** Whether the page has loaded the large images of items. @param {number[]} items */
  hasLoaded(items) {
    const entries = performance.getEntriesByType('resource')
    return items.every((item) => entries.some((entry) => entry.name.includes(`/items/${item}/image`)))
  },

  /** Clicks the button that loads a picture again, if it is visible. */
  retry() {
    const button = viewerProbe.find('[data-action=retry]')
    if (button.checkVisibility()) button.click()
  },

  /** Returns the label of the focused element, 'browser' for the browser's own controls, or 'outside' for others. */
  focus() {
    const element = document.activeElement
    if (element === document.body) return 'browser'
    return viewerProbe.dialog.contains(element) ? element.getAttribute('aria-label') ?? element.className : 'outside'
  },

  // MARK: Layout

  /** Returns the texts of the caption, how many of them are cut or covered, and facts about the buttons and the stage. */
  captionLayout() {
    const caption = [...document.querySelectorAll('#viewer .caption > *')]
    const buttons = /** @type {any[]} */ ([...document.querySelectorAll('#viewer header > button, #viewer header > a')])
      .filter((button) => button.checkVisibility())
      .map((button) => button.getBoundingClientRect())
    const meets = (/** @type {DOMRect} */ one, /** @type {DOMRect} */ other) =>
      one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
    const isCut = (/** @type {Element} */ part) =>
      part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > innerWidth
    return {
      texts: caption.map(({ textContent }) => textContent.slice(0, 7)),
      cut: caption.filter(isCut).length,
      met: caption.filter((part) => buttons.some((button) => meets(part.getBoundingClientRect(), button))).length,
      outside: buttons.filter(({ left, right }) => left < 0 || right > innerWidth).length,
      buttons: buttons.length > 4,
      stage: viewerProbe.find('.stage').clientHeight > 400,
    }
  },

  /** Whether a long name is cut, ends with the file's extension, and leaves room for the buttons. */
  nameLayout() {
    const [head, tail] = viewerProbe.find('h2').children
    const bar = viewerProbe.box('header > button')
    return {
      isCut: head.scrollWidth > head.clientWidth,
      ends: tail.textContent.endsWith('.jpg'),
      seen: tail.scrollWidth <= tail.clientWidth && tail.getBoundingClientRect().right <= bar.left,
    }
  },

  /** Returns the places of the picture, its frame, the stage around it and the facts. */
  boxes() {
    const [frame, details, stage, picture] = ['.frame', '.details', '.stage', '[data-part=picture]'].map(viewerProbe.box)
    return { frame, details, stage, picture }
  },

  /** Whether the facts are beside the picture, and both fill the stage. */
  factsLayout() {
    const { frame, details, stage, picture } = viewerProbe.boxes()
    return {
      apart: frame.right <= details.left + 0.5 && picture.right <= frame.right + 0.5,
      whole: Math.abs(frame.left - stage.left) < 1 && Math.abs(details.right - stage.right) < 1,
    }
  },

  /** Returns the lower edge of the picture, the upper edge of the sheet of facts, and both edges of the stage. */
  sheet() {
    const { details, stage, picture } = viewerProbe.boxes()
    return { picture: picture.bottom, sheet: details.top, top: stage.top, bottom: stage.bottom }
  },

  /** Records in `page.closings` how far from the cell of an item a closing picture ends, in pixels. @param {number} item */
  recordClosing(item) {
    const closings = (viewerProbe.page.closings = [])
    const middle = (/** @type {Element} */ element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2 }
    }
    const end = (/** @type {Element} */ node) => {
      const [animation] = node.getAnimations()
      animation.pause()
      animation.currentTime = Number(animation.effect.getComputedTiming().duration) - 0.01
      const [from, to] = [node, probe.cell(item)].map(middle)
      closings.push(Math.hypot(from.x - to.x, from.y - to.y))
      animation.play()
    }
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of /** @type {any} */ (addedNodes)) if (node.className === 'leaving') end(node)
      }
    }).observe(document.body, { childList: true })
  },

  // MARK: Zoom

  /** Returns the left edge, the top edge and the width of the image. */
  image() {
    const { x, y, width } = viewerProbe.box('img')
    return { x, y, width }
  },

  /** Returns the share of the image's width that lies to the left of a place. @param {number} place in pixels of the viewport */
  share(place) {
    const { x, width } = viewerProbe.image()
    return (place - x) / width
  },

  /** Whether each pixel of the image is one pixel of the screen. */
  isFullSize() {
    const image = viewerProbe.find('img')
    return Math.abs(image.getBoundingClientRect().width * devicePixelRatio - image.naturalWidth) < 1.5
  },

  isZoomed: (expected = true) => viewerProbe.find('.frame').dataset.zoomed === String(expected),

  /** Pinches on a touchpad. Whether the viewer handled that and zoomed. */
  pinch() {
    const pinch = new WheelEvent('wheel', { deltaY: -20, ctrlKey: true, cancelable: true, clientX: 360, clientY: 260 })
    viewerProbe.find('.frame').dispatchEvent(pinch)
    return pinch.defaultPrevented && viewerProbe.isZoomed()
  },

  /** Waits until a slideshow has shown items, one after another. @param {string[]} items */
  async showsInTurn(...items) {
    for (const item of items) {
      const isThere = () => new URLSearchParams(location.search).get('view') === item && viewerProbe.isShown()
      await probe.until(isThere, `picture ${item}`)
    }
  },

  // MARK: Pictures

  /** Whether there are `count` cells in view, all with their thumbnails. @param {number} count */
  areReady(count) {
    const cells = probe.visible()
    return cells.length === count && cells.every((cell) => cell.dataset.state === 'ready')
  },

  /** Returns the name of the first picture in view. */
  firstName: () => probe.name(probe.cell(probe.items()[0])) ?? '',

  /** The name of the open picture. */
  get name() {
    return viewerProbe.dialog.open ? viewerProbe.picture?.alt ?? '' : ''
  },

  /** Returns the paths of the items' files that the page has requested. */
  originals: () =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('/original'))
      .map((path) => path.split('/').slice(-3).join('/')),

  /** Whether the viewer shows the rendered image of an item. @param {number} item */
  showsImage: (item) => viewerProbe.isShown() && viewerProbe.picture.src.includes(`/items/${item}/image?`),

  /** Whether the picture is the original of an item, one pixel for one. @param {number} item @param {number} width */
  isOriginal(item, width) {
    const picture = viewerProbe.picture
    const isWide = Math.abs(picture.getBoundingClientRect().width * devicePixelRatio - width) < 1.5
    return picture.src.includes(`/items/${item}/original?`) && picture.naturalWidth === width && isWide
  },

  /** Makes each image fail to decode from now on. Records the last one in `page.refused`. */
  refuseImages() {
    HTMLImageElement.prototype.decode = function () {
      viewerProbe.page.refused = this.src
      return Promise.reject(new Error())
    }
  },

  /** Whether the picture has a colour, and has been loaded in full. @param {number[]} colour red, green and blue */
  showsColour(...colour) {
    const image = viewerProbe.dialog.open ? viewerProbe.picture : null
    if (!image?.complete || image.naturalWidth < 600) return false
    probe.canvas.width = probe.canvas.height = 1
    const context = probe.canvas.getContext('2d', { willReadFrequently: true })
    context.drawImage(image, 0, 0, 1, 1)
    const data = context.getImageData(0, 0, 1, 1).data
    return colour.every((value, index) => Math.abs(data[index] - value) < 30)
  },

  /** Whether the picture has a width on the screen and is rendered in a way. @param {number} width @param {string} rendering */
  isRendered(width, rendering) {
    const picture = viewerProbe.picture
    const isWide = Math.round(picture.getBoundingClientRect().width) === width
    return isWide && getComputedStyle(picture).imageRendering === rendering && picture.naturalWidth > 0
  },

  /** Whether squares lie below the picture, or null if it has not loaded. */
  hasSquares() {
    const picture = viewerProbe.picture
    return picture.naturalWidth > 0 ? getComputedStyle(picture).backgroundImage.includes('conic-gradient') : null
  },

  /** Whether the first four cells have the badges and the labels. @param {string} badges @param {string} labels */
  haveBadges(badges, labels) {
    const cells = /** @type {any[]} */ ([0, 1, 2, 3].map(probe.cell))
    return cells.map((cell) => cell.innerText).join() === badges && cells.map((cell) => cell.ariaLabel).join('; ') === labels
  },

  /** Whether the blur or colour of a picture is visible, in the shape that the caption says. @param {number} expected number */
  isBlurred(expected) {
    const caption = viewerProbe.find('.caption span').textContent
    const [, number, width, height] = caption.match(/^([0-9,]+) of .* (\d+)\u00a0×\u00a0(\d+)/) ?? []
    const picture = viewerProbe.picture
    const box = picture.getBoundingClientRect()
    const isVisible = picture.checkVisibility() && picture.hasAttribute('data-blur') && picture.naturalWidth > 0
    return Number(number) === expected && isVisible && Math.abs(box.width / box.height - width / height) < 0.02
  },

  /** Steps to the next picture. Whether its blur is visible at once. */
  stepShowsBlur() {
    viewerProbe.press('next')
    return viewerProbe.picture.checkVisibility() && viewerProbe.picture.src.startsWith('data:')
  },

  /** Returns the visible texts about a picture that cannot be shown. @returns {string[]} */
  problem() {
    const parts = /** @type {any[]} */ ([...document.querySelectorAll('#viewer [data-part=problem] > *')])
    return parts.filter((part) => part.checkVisibility()).map((part) => part.textContent)
  },

  // MARK: Videos

  get film() {
    return viewerProbe.part('film')
  },

  /** The button that plays a motion photo while it is held. */
  get live() {
    return viewerProbe.part('live')
  },

  get filmProblem() {
    return viewerProbe.part('film-problem')
  },

  isPlaying() {
    const film = viewerProbe.film
    return film.checkVisibility() && !film.paused && film.currentTime > 0 && film.videoWidth === 64
  },

  /** Whether the film is hidden and paused, and its picture is in its place. */
  isStill() {
    const picture = viewerProbe.find('[data-part=picture]:not([data-blur])')
    return !viewerProbe.film.checkVisibility() && viewerProbe.film.paused && picture?.naturalWidth > 0
  },

  /** Whether the button of a motion photo is there, and the film does not play. */
  isReadyToPlay: () => viewerProbe.live.checkVisibility() && viewerProbe.isStill(),

  /** Records in `page.heard` when the film starts and pauses. */
  recordFilm() {
    const heard = (viewerProbe.page.heard = [])
    for (const type of ['playing', 'pause']) viewerProbe.film.addEventListener(type, () => heard.push(type))
  },

  // MARK: Filmstrip

  /** Returns facts about the cells of the filmstrip and about the selected one. */
  strip() {
    const strip = viewerProbe.find('.filmstrip')
    /** @type {any[]} */
    const cells = [...strip.querySelectorAll('[role=option]')]
    const current = cells.find((cell) => cell.getAttribute('aria-selected') === 'true')
    const box = current?.getBoundingClientRect()
    return {
      count: cells.length,
      current: Number(current?.dataset.item),
      first: Number(cells[0]?.dataset.item),
      last: Number(cells.at(-1)?.dataset.item),
      centred: Math.abs(box?.left + box?.width / 2 - strip.clientWidth / 2) < 40,
      stops: strip.querySelectorAll('[tabindex="0"]').length,
      place: current?.getAttribute('aria-posinset'),
      of: current?.getAttribute('aria-setsize'),
      shown: cells.filter((cell) => cell.firstChild.complete && cell.firstChild.naturalWidth > 0).length,
    }
  },

  /** Whether the filmstrip has an item in its middle. @param {number} item */
  isCentred(item) {
    const { current, centred } = viewerProbe.strip()
    return current === item && centred
  },
}
