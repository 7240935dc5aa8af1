// The button that copies a link for followers, and the QR code of the link.

import { PARAMETERS } from '../arrange/arrangement.js'
import { keepPresenterName, presenterName } from '../boot.js'
import { parameter } from '../page/address-bar.js'
import { copyText } from '../page/clipboard.js'

const QUIET = 4 // modules around a code

/** `code` is the SVG for the QR code. `now()` returns the current `{gallery, session}`. `change(changes)` changes the session. */
export function offerToShare(button, field, code, now, change) {
  field.value = presenterName()
  field.addEventListener('change', () => {
    field.value = field.value.trim()
    keepPresenterName(field.value)
    change({ name: field.value })
  })
  button.addEventListener('click', async () => {
    const { gallery, session } = now()
    if (!session) return
    const url = new URL(location.pathname, location.href)
    url.searchParams.set('gallery', gallery.id)
    for (const name of PARAMETERS) if (parameter(name) !== null) url.searchParams.set(name, parameter(name))
    // The link has the id for followers, because the session's own id allows scrolling the session.
    url.searchParams.set('follow', session.follow.split('/').at(-1))
    button.textContent = (await copyText(url.href)) ? 'Link copied' : url.href // for copying manually
    const { qrModules, qrPath } = await import('./qr-code.js')
    const modules = qrModules(url.href)
    code.toggleAttribute('hidden', !modules)
    if (!modules) return
    const size = modules.length + 2 * QUIET
    code.setAttribute('viewBox', `${-QUIET} ${-QUIET} ${size} ${size}`)
    code.firstElementChild.setAttribute('d', qrPath(modules))
  })
  // The next session has another link.
  code.closest('[popover]').addEventListener('beforetoggle', () => code.toggleAttribute('hidden', true))
}
