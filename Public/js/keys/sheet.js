// The sheet of keys, opened by a question mark.

/** @type {[heading: string, keys: [key: string, meaning: string][]][]} */
const keys = [
  ['The gallery', [
    ['Arrows', 'from picture to picture; the page, while none is chosen'],
    ['Page Up, Page Down, Space', 'a screen on or back'],
    ['Home, End', 'the ends of the row, or of the gallery'],
    ['Ctrl + Home, Ctrl + End', 'the first picture, the last one'],
    ['Enter', 'opens the picture'],
    ['Ctrl + wheel, two fingers', 'larger or smaller pictures'],
    ['/', 'search'],
    ['G', 'go to a date or a number'],
    ['X, Shift + Arrows', 'selects the picture, those on the way'],
    ['Ctrl + A, Escape', 'selects all, selects nothing'],
    ['F', 'full screen'],
    ['D', 'what the server does'],
    ['?', 'this sheet'],
  ]],
  ['A picture', [
    ['Left, Right', 'the one before, the next one'],
    ['Z, +, −', 'one to one, larger, smaller'],
    ['S', 'a slideshow'],
    ['I', 'facts about it'],
    ['*', 'a favourite, or no longer, where they are kept'],
    ['T', 'the pictures beside it'],
    ['Escape', 'back to the gallery'],
  ]],
]

/** Opens `dialog`, or closes it. */
export function toggleKeys(dialog) {
  if (dialog.open) return dialog.close()
  if (!dialog.childElementCount) fill(dialog)
  dialog.showModal()
}

function fill(dialog) {
  const title = document.createElement('h2')
  title.textContent = 'Keys'
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
