// What the address of the page says, and keeping it true without flooding the history.

export function parameter(name) {
  return new URLSearchParams(location.search).get(name)
}

/** Changes parameters in place; null removes one. */
export function setParameters(changes, { push = false, state = history.state } = {}) {
  const url = new URL(location.href)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  url.search = url.search.replaceAll('%2C', ',').replaceAll('%3A', ':') // a person may read it
  if (url.href === location.href && !push && state === history.state) return
  if (push) history.pushState(state, '', url)
  else history.replaceState(state, '', url)
}
