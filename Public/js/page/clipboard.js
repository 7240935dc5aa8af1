/** Copies a text. Resolves to false if that failed: a page on plain http has no clipboard, and the browser may refuse. */
export const copyText = (/** @type {string} */ text) =>
  Promise.resolve().then(() => navigator.clipboard.writeText(text)).then(() => true, () => false)
