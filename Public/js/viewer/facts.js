// All that is known of a picture, as a list.

const number = new Intl.NumberFormat('en')

/** `known` is the item as the API tells it, where it was asked for. */
export function writeFacts(list, gallery, known = {}, item, name) {
  const facts = [
    ['Name', name],
    ['File', known.file],
    ['Section', gallery.sections[known.section]?.title],
    ['Place', `${number.format(item + 1)} of ${number.format(gallery.itemCount)}`],
    ['Size', known.width && `${number.format(known.width)} × ${number.format(known.height)} pixels`],
    ['State', known.damaged && 'a part of the file is missing or wrong'],
  ]
  list.replaceChildren(...facts.filter(([, value]) => value).flatMap(([term, value]) => [written('dt', term), written('dd', value)]))
}

function written(tag, text) {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}
