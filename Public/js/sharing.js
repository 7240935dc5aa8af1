// A link for others to follow along, and the person's scroll as a file.

import { keepPresenterName, presenterName } from './boot.js'
import { save } from './recorder.js'
import { clock } from './trace.js'

/** `now()` gives `{gallery, session}`; `change(changes)` changes the session. */
export function offerToShare(button, field, now, change) {
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
    // Not the session's own id: with that one could scroll it.
    url.searchParams.set('follow', session.follow.split('/').at(-1))
    try {
      await navigator.clipboard.writeText(url.href)
      button.textContent = 'Link copied'
    } catch {
      button.textContent = url.href // no clipboard here: there it is, to be copied by hand
    }
  })
}

/** A button that begins and ends a recording and shows its time, and one that saves the last minute; `tell(text)` of both. */
export function offerToRecord(button, last, recorder, scroller, tell) {
  let [began, timer] = [0, null]
  const show = () => (button.textContent = `Stop and save · ${clock(performance.now() - began)}`)
  button.addEventListener('click', () => {
    clearInterval(timer)
    if (!recorder.isRecording) {
      recorder.start((began = performance.now()), scroller.top)
      timer = setInterval(show, 1000)
      tell('Recording the scroll')
      show()
    } else {
      const trace = recorder.stop(performance.now(), scroller.top)
      if (trace) save(trace, 'scroll.ndjson')
      tell('Recording saved')
      button.textContent = 'Record'
    }
    button.setAttribute('aria-pressed', recorder.isRecording)
  })
  last.addEventListener('click', () => {
    const trace = recorder.lastMinute(performance.now(), scroller.top)
    if (trace) save(trace, 'last-minute.ndjson')
    tell(trace ? 'The last minute is saved' : 'Nothing was scrolled in the last minute')
  })
}
