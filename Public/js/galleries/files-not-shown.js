// Lists the pictures and videos of a folder that cannot be shown, with their number and kinds, and the files and folders that are left
// out, with the reasons.

const FORMATS = ['JPEG', 'PNG', 'WebP', 'GIF', 'BMP', 'HEIC', 'AVIF', 'JPEG XL', 'TIFF']

/** Formats that a server can be built without, with their extensions. Files of these kinds are not shown only by such a server. */
const OPTIONAL = { HEIC: ['heic', 'heif', 'hif'], AVIF: ['avif', 'avifs'], 'JPEG XL': ['jxl'], TIFF: ['tif', 'tiff'], video: ['mp4', 'm4v', 'mov', '3gp'] }

const number = new Intl.NumberFormat('en')

/** Reasons for leaving out files and folders, as singular and plural. */
const REASONS = {
  unreadable: ['folder can’t be read', 'folders can’t be read'],
  notUTF8: ['name is not UTF-8', 'names are not UTF-8'],
  leadsOut: ['link leads out of the folder', 'links lead out of the folder'],
  leadsNowhere: ['link leads nowhere', 'links lead nowhere'],
  tooDeep: ['folder is too deep', 'folders are too deep'],
  tooMany: ['file or folder is too many', 'files or folders are too many'],
  unexamined: ['file was not examined', 'files were not examined'],
  noMedia: ['folder has a .nomedia file', 'folders have a .nomedia file'],
  excluded: ['file or folder matches', 'files and folders match'],
}

/**
 * @typedef {{kind: string, count: number}} KindNotShown
 * @typedef {{reason: string, pattern?: string, count: number, names: string[]}} LeftOut
 * @typedef {{notShown?: KindNotShown[], leftOut?: LeftOut[]}} Missing
 */

const sum = (/** @type {{count: number}[]} */ parts) => parts.reduce((sum, { count }) => sum + count, 0)

function headline(/** @type {Missing} */ { notShown = [], leftOut = [] }) {
  const count = sum(notShown) + sum(leftOut)
  const [one, several] = leftOut.length ? ['file or folder is', 'files and folders are'] : ['file is', 'files are']
  return `${number.format(count)} ${count === 1 ? one : several} not shown`
}

const kinds = (/** @type {KindNotShown[]} */ notShown) => notShown.map(({ kind, count }) => `${number.format(count)} ${kind.toUpperCase()}`).join(', ')

function reason(/** @type {LeftOut} */ { reason, pattern, count, names }) {
  const [one, several] = REASONS[reason] ?? [reason, reason]
  return `${number.format(count)} ${count === 1 ? one : several}${pattern ? ` “${pattern}”` : ''}: ${names.join(', ')}${count > names.length ? ', …' : ''}`
}

const lines = (/** @type {Missing} */ { notShown = [], leftOut = [] }) => [...(notShown.length ? [kinds(notShown)] : []), ...leftOut.map(reason)]

function shown(/** @type {KindNotShown[]} */ kinds = []) {
  if (!kinds.length) return ''
  const missing = Object.keys(OPTIONAL).filter((format) => kinds.some(({ kind }) => OPTIONAL[format].includes(kind)))
  const formats = FORMATS.filter((format) => !missing.includes(format)).join(', ')
  const build = missing.length ? ` This build can’t read ${missing.join(' or ')}.` : ''
  return `Lookahead shows ${formats} and the previews in RAW files.${build}`
}

/** Returns the text for an empty gallery about the files that are not shown; '' if there are none. */
export function sentenceOnFilesNotShown(/** @type {Missing} */ missing) {
  const parts = lines(missing)
  return parts.length ? `${headline(missing)}: ${parts.join('; ')}. ${shown(missing.notShown)}`.trim() : ''
}

/** The panel with the list, and its button. The button is beside the number of pictures, or in the menu on a phone. */
export class FilesNotShown {
  #button
  #panel
  #wide
  #narrow
  #phone = matchMedia('(width < 720px)')

  constructor(byId) {
    ;[this.#button, this.#panel, this.#wide, this.#narrow] = ['not-shown-open', 'not-shown', 'dated', 'tools'].map(byId)
    this.#phone.addEventListener('change', () => this.#place())
  }

  show(/** @type {Missing} */ missing) {
    const parts = lines(missing)
    if (!parts.length) return this.#panel.hidePopover()
    this.#place()
    this.#panel.querySelector('h2').textContent = headline(missing)
    this.#panel.querySelector('p').textContent = parts.join('\n')
    this.#panel.querySelector('small').textContent = shown(missing.notShown)
  }

  #place() {
    if (this.#phone.matches) this.#narrow.append(this.#button)
    else this.#wide.after(this.#button)
  }
}
