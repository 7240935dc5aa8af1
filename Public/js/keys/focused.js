// What has the focus, for those who may stand in a shadow tree: outside of it nobody sees more than its host.

/** The element with the focus in the tree that `element` is in; null where it is elsewhere. */
export function focused(/** @type {Element} */ element) {
  const tree = /** @type {Document | ShadowRoot} */ (element.getRootNode())
  return tree.activeElement ?? null
}
