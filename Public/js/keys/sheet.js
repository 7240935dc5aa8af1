// The list of keyboard shortcuts, opened by a button or the question mark key.

/** @type {[heading: string, keys: [key: string, meaning: string][]][]} */
const keys = [
  ['The gallery', [
    ['Arrows', 'Move between pictures (or scroll, if none is selected)'],
    ['Page Up, Page Down, Space', 'One screen up or down'],
    ['Home, End', 'Start or end of the row (or gallery)'],
    ['Ctrl + Home, Ctrl + End', 'First or last picture'],
    ['Enter', 'Open the picture'],
    ['Ctrl + wheel, two fingers', 'Larger or smaller pictures'],
    ['/', 'Search'],
    ['G', 'Go to a date, folder or number'],
    ['X, Shift + Arrows', 'Select the picture, or a range'],
    ['Ctrl + A, Escape', 'Select all, clear selection'],
    ['F', 'Full screen'],
    ['D', 'Dashboard'],
    ['?', 'Show these shortcuts'],
  ]],
  ['A picture', [
    ['Left, Right', 'Previous or next picture'],
    ['Z, +, −', 'Zoom to 1:1, in, out'],
    ['Wheel, double click', 'Zoom at the pointer'],
    ['S', 'Slideshow'],
    ['Space, K', 'Play or pause a video'],
    ['I', 'Info'],
    ['T', 'Filmstrip'],
    ['Escape', 'Back to the gallery'],
  ]],
]

export function toggleKeys(dialog) {
  if (dialog.open) return dialog.close()
  if (!dialog.childElementCount) fill(dialog)
  dialog.showModal()
}

function fill(dialog) {
  const title = document.createElement('h2')
  title.textContent = 'Keyboard shortcuts'
  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = 'Close'
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  dialog.addEventListener('keydown', (event) => event.key === '?' && dialog.close())
  const head = document.createElement('header')
  head.append(title, close)
  dialog.append(head, ...keys.map(([name, rows]) => {
    const section = document.createElement('section')
    const heading = document.createElement('h3')
    heading.textContent = name
    const list = document.createElement('dl')
    for (const [key, meaning] of rows) {
      const [term, words] = [document.createElement('dt'), document.createElement('dd')]
      for (const [index, together] of key.split(', ').entries()) {
        const keys = document.createElement('span')
        keys.append(...together.split(/( \+ )/).map((part, place) => (place % 2 ? part : Object.assign(document.createElement('kbd'), { textContent: part }))))
        term.append(index ? ', ' : '', keys)
      }
      words.textContent = meaning
      list.append(term, words)
    }
    section.append(heading, list)
    return section
  }))
}
