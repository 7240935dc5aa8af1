// The person's scroll as a file.

import { clock } from './format.js'
import { save } from './recorder.js'

/** A button that begins and ends a recording and shows its time, and one that saves the last minute; `notify(text)` of both. */
export function offerToRecord(button, last, recorder, scroller, notify) {
  let [began, timer] = [0, null]
  const show = () => (button.textContent = `Stop and save · ${clock(performance.now() - began)}`)
  button.addEventListener('click', () => {
    clearInterval(timer)
    if (!recorder.isRecording) {
      recorder.start((began = performance.now()), scroller.top)
      timer = setInterval(show, 1000)
      notify('Recording')
      show()
    } else {
      const trace = recorder.stop(performance.now(), scroller.top)
      if (trace) save(trace, 'scroll.ndjson')
      notify('Recording saved')
      button.textContent = 'Record'
    }
    button.setAttribute('aria-pressed', recorder.isRecording)
  })
  last.addEventListener('click', () => {
    const trace = recorder.lastMinute(performance.now(), scroller.top)
    if (trace) save(trace, 'last-minute.ndjson')
    notify(trace ? 'Last minute saved' : 'No scrolling in the last minute')
  })
}
