// A link for others to follow along, and the person's scroll as a file.

import { keepPresenterName, presenterName } from './boot.js'
import { save } from './recorder.js'

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

/** A button that begins and ends a recording, and one that saves the last minute. */
export function offerToRecord(button, last, recorder, scroller, say) {
  button.addEventListener('click', () => {
    if (!recorder.isRecording) {
      recorder.start(performance.now(), scroller.top)
      say('Recording the scroll')
    } else {
      const trace = recorder.stop(performance.now(), scroller.top)
      if (trace) save(trace, 'scroll.ndjson')
      say('Recording saved')
    }
    button.setAttribute('aria-pressed', recorder.isRecording)
    button.textContent = recorder.isRecording ? 'Stop and save' : 'Record'
  })
  last.addEventListener('click', () => {
    const trace = recorder.lastMinute(performance.now(), scroller.top)
    if (trace) save(trace, 'last-minute.ndjson')
  })
}
