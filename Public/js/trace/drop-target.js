// Shows that a file may be dropped on the page, while one is dragged over it.

/** `element` is shown meanwhile. */
export function showDropTarget(element) {
  let timer
  const over = (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    element.hidden = false
    // The events of leaving come for each element that is left: that none has come for a while says it better.
    clearTimeout(timer)
    timer = setTimeout(() => (element.hidden = true), 300)
  }
  addEventListener('dragenter', over)
  addEventListener('dragover', over)
  addEventListener('drop', () => (element.hidden = true))
}
