// Prints the visible pictures and the rest of the last visible section, as far as they have loaded.

const MAXIMUM = 60 // maximum number of printed pictures
const FEW = 3 // pictures. Sections with so few are side by side

const number = new Intl.NumberFormat('en')

/**
 * Fills the print version of a gallery before printing, and empties it afterwards. `root` has `data-print` while printing.
 * @param {import('../gallery/gallery-view.js').GalleryView} view
 * @param {HTMLElement} root
 */
export function preparePrinting(view, root) {
  const paper = view.find('print')
  const fill = () => {
    if (!view.pageLayout.layout || paper.childElementCount) return
    root.dataset.print = ''
    paper.hidden = false
    paper.append(...contents(view))
  }
  const clear = () => {
    delete root.dataset.print
    paper.hidden = true
    paper.replaceChildren()
  }
  const { ended: signal } = view
  addEventListener('beforeprint', fill, { signal })
  addEventListener('afterprint', clear, { signal })
  const printing = matchMedia('print')
  printing.addEventListener('change', ({ matches }) => (matches ? fill() : clear()), { signal })
  if (printing.matches) fill()
}

function contents({ state: { gallery, items, thumbnails }, pageLayout }) {
  const printed = chosen({ thumbnails, inSight: pageLayout.inSight(), sections: pageLayout.sections })
  const parts = []
  let title = null
  let list
  for (const { item, section } of printed) {
    if (section !== title) {
      title = section
      const heading = document.createElement('h2')
      heading.textContent = section.title || gallery.title
      list = document.createElement('ul')
      const part = document.createElement('section')
      part.append(heading, list)
      parts.push(part)
    }
    const [entry, image, name] = [document.createElement('li'), document.createElement('img'), document.createElement('span')]
    entry.dataset.item = item
    image.src = thumbnails.get(item).src
    image.alt = ''
    name.textContent = items.name(item)
    entry.append(image, name)
    list.append(entry)
  }
  for (const part of parts) {
    const { length } = part.querySelectorAll('li')
    if (length <= FEW) part.dataset.few = String(length)
  }
  const foot = document.createElement('p')
  const { length } = printed
  foot.textContent = length
    ? `${number.format(length)} of ${number.format(gallery.itemCount)} pictures, starting at number ${number.format(printed[0].item + 1)}. At most ${MAXIMUM} are printed at once.`
    : 'No pictures had loaded.'
  return [...parts, foot]
}

/** Returns the loaded pictures among the visible ones, and those that follow in the last visible section up to the first gap. */
function chosen({ thumbnails, inSight: { from, to }, sections }) {
  const sectionOf = (item) => sections.findLast((section) => section.from <= item) ?? sections[0]
  const last = sectionOf(Math.max(from, to - 1))
  const end = Math.max(to, last ? last.from + last.count : to)
  const found = []
  for (let item = from; item < end && found.length < MAXIMUM; item++) {
    if (thumbnails.has(item)) found.push({ item, section: sectionOf(item) })
    else if (item >= to) break // no gaps after the visible pictures
  }
  return found
}
