// Finds the focused element also inside a shadow tree. `document.activeElement` returns only its host.

/** Returns the focused element in the document or shadow tree of `element`; null if the focus is elsewhere. */
export function focused(/** @type {Element} */ element) {
  const tree = /** @type {Document | ShadowRoot} */ (element.getRootNode())
  return tree.activeElement ?? null
}
