// Shows that a file can be dropped, while one is dragged over the page.

export function showDropTarget(element) {
  let timer
  const over = (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    element.hidden = false
    // `dragleave` is sent for each element that is left. A pause in `dragover` events is a better sign of leaving the page.
    clearTimeout(timer)
    timer = setTimeout(() => (element.hidden = true), 300)
  }
  addEventListener('dragenter', over)
  addEventListener('dragover', over)
  addEventListener('drop', () => (element.hidden = true))
}
