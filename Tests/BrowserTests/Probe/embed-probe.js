// Questions of the tests to a page of another site that shows a gallery. That page has functions of its own: see `HostPage`.

const embedProbe = {
  page: /** @type {any} */ (window),

  /** Returns styles that the gallery must not inherit or the page may set, violations of the page's policy, and its query. */
  appearance() {
    const { part, cells, gallery, heard } = embedProbe.page
    const style = getComputedStyle(part('grid'))
    return [
      style.fontStyle,
      style.textTransform,
      getComputedStyle(cells()[0]).borderRadius,
      style.getPropertyValue('--accent'),
      gallery().clientHeight,
      heard.violations,
      location.search,
    ]
  },

  /** Returns what the gallery prints, and which other parts of it are visible. */
  paper() {
    const { part, heard } = embedProbe.page
    const paper = part('print')
    const isOther = (/** @type {any} */ element) => element !== paper && element.checkVisibility()
    return {
      items: [...paper.querySelectorAll('li')].map((entry) => Number(entry.dataset.item)),
      names: [...paper.querySelectorAll('span')].every((name) => name.textContent),
      others: [...part('stage').children].filter(isOther).map(({ id }) => id),
      isClear: document.getElementById('after').getBoundingClientRect().top >= paper.getBoundingClientRect().bottom,
      violations: heard.violations,
    }
  },

  /** Records the file that the page would save, its name, and the text that the page copies, instead of saving and copying. */
  recordSaving() {
    const { page } = embedProbe
    const make = URL.createObjectURL
    URL.createObjectURL = (blob) => {
      page.saved = blob
      return make.call(URL, blob)
    }
    HTMLAnchorElement.prototype.click = function () {
      page.savedAs = this.download
    }
    const writeText = async (/** @type {string} */ text) => {
      page.copied = text
    }
    Object.defineProperty(navigator, 'clipboard', { value: { writeText } })
  },

  /** Whether the viewer shows the image of an item. @param {number} item */
  showsImage: (item) => embedProbe.page.part('viewer').querySelector('img').src.includes(`/items/${item}/image`),

  /** Submits a token in the gallery's form. @param {string} token */
  submitToken(token) {
    const form = embedProbe.page.part('notice').querySelector('form')
    form.elements.token.value = token
    form.requestSubmit()
  },
}
