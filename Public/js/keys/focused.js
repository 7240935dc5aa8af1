// The focused element, inside of a shadow tree, too: outside of it only the host is seen.

/** The element with the focus in the tree that `element` is in; null where it is elsewhere. */
export function focused(/** @type {Element} */ element) {
  const tree = /** @type {Document | ShadowRoot} */ (element.getRootNode())
  return tree.activeElement ?? null
}
