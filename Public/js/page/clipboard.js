/** Copies a text; resolves to whether it did: a page on plain http has no clipboard, and a browser may refuse. */
export const copyText = (/** @type {string} */ text) =>
  Promise.resolve().then(() => navigator.clipboard.writeText(text)).then(() => true, () => false)
