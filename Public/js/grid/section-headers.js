// The titles of sections. Titles of the row of sections at the top of the viewport stay visible there.

import { parted, writeLabel } from '../scrubber/labels.js'

const LOOSE = 12 // px of a title that scroll away before the title sticks
const SLACK = 2 // px by which measuring a title may underestimate its width
const MONTH = /\b(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)\b/g
const YEAR = /(?:, | )(?:19|20)\d\d$/

const number = new Intl.NumberFormat('en')

/** Returns how many px of the pictures are covered by the title at the top of the viewport. */
export function titleOver(layout, top) {
  if (!layout.headerHeight) return 0
  const section = layout.sectionAt(top)
  if (top <= layout.header(section).y + LOOSE) return 0
  return Math.max(0, Math.min(layout.headerHeight - LOOSE, nextTop(layout, section) - top))
}

/** Returns the position of the next titles below a section's row. */
function nextTop(layout, section) {
  const { to } = layout.sideBySide(section)
  return to < layout.sections.length ? layout.header(to).y : Infinity
}

export class SectionHeaders {
  stuck
  /** @type {import('../scroll/scroller.js').Scroller} */
  scroller
  /** @type {import('../layout/page-layout.js').Layout | null} */
  layout = null
  titled = (_title) => {}
  #layer
  #live = new Map() // elements of the titles near the viewport, by section
  #current = '' // the sections whose titles are at the top

  constructor(layer, stuck, scroller) {
    this.#layer = layer
    this.stuck = stuck
    this.scroller = scroller
  }

  setLayout(layout) {
    this.layout = layout
    // Page keys then scroll by the height below the title.
    this.scroller.element.style.scrollPaddingTop = `${layout.headerHeight}px`
    for (const element of this.#live.values()) element.remove()
    this.#live.clear()
    this.#current = ''
  }

  render() {
    const { layout, scroller } = this
    if (!layout) return
    const { top, height } = scroller
    const wanted = layout.headers(Math.max(0, top - height / 2), top + 1.5 * height)
    const keep = new Set(wanted.map((header) => header.section))
    for (const [section, element] of this.#live) {
      if (keep.has(section)) continue
      element.remove()
      this.#live.delete(section)
    }
    for (const header of wanted) {
      const live = this.#live.get(header.section)
      if (live) {
        fit(live, header) // the section beside it may be new
        continue
      }
      const element = titleOf('h2', header)
      this.#live.set(header.section, element)
      this.#layer.append(element)
      this.titled(element)
      fit(element, header)
      this.#move(element, header)
    }
    this.#stick()
  }

  /** Fits the titles again. Call this when a button beside them appears or disappears. */
  fit() {
    for (const element of [...this.#live.values(), ...this.stuck.children]) fit(element, this.layout.header(Number(element.dataset.section)))
  }

  replace() {
    for (const [section, element] of this.#live) this.#move(element, this.layout.header(section))
  }

  #move(element, header) {
    element.style.transform = `translateY(${header.y - this.scroller.origin}px)`
  }

  #stick() {
    const { layout, scroller, stuck } = this
    if (!layout.headerHeight) return void (stuck.hidden = true)
    const section = layout.sectionAt(scroller.top)
    const { y, height } = layout.header(section)
    stuck.hidden = scroller.top <= y + LOOSE
    if (stuck.hidden) return
    const { from, to } = layout.sideBySide(section)
    const current = `${from} ${to}`
    if (current !== this.#current) {
      this.#current = current
      const titles = []
      for (let each = from; each < to; each++) titles.push(titleOf('div', layout.header(each)))
      stuck.replaceChildren(...titles)
      titles.forEach((title, index) => {
        this.titled(title)
        fit(title, layout.header(from + index))
      })
    }
    stuck.style.transform = `translateY(${Math.min(-LOOSE, nextTop(layout, section) - scroller.top - height)}px)`
  }
}

function titleOf(tag, header) {
  const element = document.createElement(tag)
  element.className = 'header'
  element.setAttribute('part', 'title')
  element.style.height = `${header.height}px`
  element.dataset.section = header.section
  const name = document.createElement('span')
  name.textContent = header.title || 'Untitled'
  element.append(name)
  element.toggleAttribute('data-small', header.isSmall)
  if (header.isSmall) name.title = header.title // the title may be abbreviated, and a count is not necessary
  else element.append(count(header))
  return element
}

function count({ count }) {
  const element = document.createElement('small')
  element.textContent = number.format(count)
  return element
}

/** Positions a title in its row and chooses its longest form that fits. The title must be in the document. */
function fit(element, { x, width, title, isSmall }) {
  const mark = element.querySelector('button')?.offsetWidth ?? 0
  const place = `${x} ${width} ${mark}`
  if (element.dataset.place === place) return
  element.dataset.place = place
  element.style.left = `${x}px`
  element.style.width = `${width}px`
  if (!isSmall) return
  const { paddingLeft, paddingRight, fontWeight, fontSize, fontFamily, letterSpacing, columnGap } = getComputedStyle(element)
  const room = width - parseFloat(paddingLeft) - parseFloat(paddingRight) - (mark && mark + parseFloat(columnGap)) - SLACK
  pen ??= document.createElement('canvas').getContext('2d')
  Object.assign(pen, { font: `${fontWeight} ${fontSize} ${fontFamily}`, letterSpacing })
  const found = forms(title).find((form) => pen.measureText(form).width <= room)
  const name = element.querySelector('span')
  if (found !== undefined) name.textContent = found
  else {
    const [head, tail] = parted(forms(title).at(-1) ?? title) // the last word is never cut
    writeLabel(name, { head, tail })
  }
}

let pen // canvas context that measures titles

/**
 * Returns the forms of a title, the longest first: without the weekday and with short months, without outer folders, without the year,
 * only the day.
 */
export function forms(/** @type {string} */ title) {
  if (!title) return ['Untitled']
  const short = abbreviated(title)
  const inner = short.split(/[/\\]/).at(-1)?.trim() || short
  const yearless = inner.replace(YEAR, '')
  const day = /^(?:(\d\d?) [A-Z][a-z]{2}|[A-Z][a-z]{2} (\d\d?))$/.exec(yearless)
  return [...new Set([title, short, inner, ...(/\d/.test(yearless) ? [yearless] : []), ...(day ? [day[1] ?? day[2]] : [])])]
}

/** Removes the weekday and shortens the month of a title: `Friday, 12 July 2019` becomes `12 Jul 2019`. */
export function abbreviated(/** @type {string} */ title) {
  return title.replace(/^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, /, '').replace(MONTH, '$1')
}
