// A link for others to follow along, and the scroll of the last minutes as a file.

import { address } from './api.js'

/** `now()` gives `{gallery, session, path}`. */
export function offerToShare(button, link, now) {
  button.addEventListener('click', async () => {
    const { gallery, session } = now()
    if (!session) return
    const url = new URL(`?gallery=${encodeURIComponent(gallery.id)}&follow=${encodeURIComponent(session.id)}`, location.href).href
    try {
      await navigator.clipboard.writeText(url)
      button.textContent = 'Link copied'
    } catch {
      button.textContent = url // no clipboard here: there it is, to be copied by hand
    }
  })
  link.addEventListener('click', (event) => {
    const { path } = now()
    if (path) link.href = address(`${path}/trace`)
    else event.preventDefault()
  })
}
