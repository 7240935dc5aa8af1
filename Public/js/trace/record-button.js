// Saves the person's scrolling as a file.

import { clock } from './format.js'
import { save } from './recorder.js'

/** Sets up the record button, which shows the elapsed time, and the button that saves the last minute. `notify(text)` shows a message. */
export function offerToRecord(button, last, recorder, scroller, notify) {
  let [began, timer] = [0, null]
  const show = () => (button.textContent = `Stop and save · ${clock(performance.now() - began)}`)
  button.addEventListener('click', () => {
    clearInterval(timer)
    if (!recorder.isRecording) {
      recorder.start((began = performance.now()), scroller.home)
      timer = setInterval(show, 1000)
      notify('Recording')
      show()
    } else {
      const trace = recorder.stop(performance.now(), scroller.home)
      if (trace) save(trace, 'scroll.ndjson')
      notify('Recording saved')
      button.textContent = 'Record'
    }
    button.setAttribute('aria-pressed', recorder.isRecording)
  })
  last.addEventListener('click', () => {
    const trace = recorder.lastMinute(performance.now(), scroller.home)
    if (trace) save(trace, 'trace.ndjson')
    notify(trace ? 'Trace saved' : 'No scrolling in the last minute')
  })
}
