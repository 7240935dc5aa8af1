// The files of a folder that are pictures or videos and cannot be shown: how many, and of which kinds.

const FORMATS = ['JPEG', 'PNG', 'WebP', 'GIF', 'BMP', 'HEIC', 'AVIF', 'TIFF']

/** The formats that a server can be built without: only then a folder's files of these kinds are not shown. */
const OPTIONAL = { HEIC: ['heic', 'heif', 'hif'], AVIF: ['avif'], TIFF: ['tif', 'tiff'], video: ['mp4', 'm4v', 'mov', '3gp'] }

const number = new Intl.NumberFormat('en')

/** @typedef {{kind: string, count: number}} KindNotShown */

const count = (/** @type {KindNotShown[]} */ kinds) => kinds.reduce((sum, { count }) => sum + count, 0)

const headline = (/** @type {KindNotShown[]} */ kinds) => `${number.format(count(kinds))} ${count(kinds) === 1 ? 'file is' : 'files are'} not shown`

const list = (/** @type {KindNotShown[]} */ kinds) => kinds.map(({ kind, count }) => `${number.format(count)} ${kind.toUpperCase()}`).join(', ')

const shown = (/** @type {KindNotShown[]} */ kinds) => {
  const missing = Object.keys(OPTIONAL).filter((format) => kinds.some(({ kind }) => OPTIONAL[format].includes(kind)))
  const formats = FORMATS.filter((format) => !missing.includes(format)).join(', ')
  const build = missing.length ? ` This build can’t read ${missing.join(' or ')}.` : ''
  return `Lookahead shows ${formats} and the previews in RAW files.${build}`
}

/** The text of an empty gallery about them; empty where there are none. */
export function sentenceOnFilesNotShown(/** @type {KindNotShown[]} */ kinds) {
  return kinds.length ? `${headline(kinds)}: ${list(kinds)}. ${shown(kinds)}` : ''
}

/** The list of kinds, and the place of the button that opens it: beside the number of pictures, or in a phone's menu. */
export class FilesNotShown {
  #button
  #panel
  #wide
  #narrow
  #phone = matchMedia('(width < 720px)')

  /** `byId(id)` finds the elements. */
  constructor(byId) {
    ;[this.#button, this.#panel, this.#wide, this.#narrow] = ['not-shown-open', 'not-shown', 'dated', 'tools'].map(byId)
    this.#phone.addEventListener('change', () => this.#place())
  }

  show(/** @type {KindNotShown[]} */ kinds) {
    if (!kinds.length) return this.#panel.hidePopover()
    this.#place()
    this.#panel.querySelector('h2').textContent = headline(kinds)
    this.#panel.querySelector('p').textContent = list(kinds)
    this.#panel.querySelector('small').textContent = shown(kinds)
  }

  #place() {
    if (this.#phone.matches) this.#narrow.append(this.#button)
    else this.#wide.after(this.#button)
  }
}
