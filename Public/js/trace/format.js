// A recorded scroll as a file: lines of JSON, a header and then a sample a line.

/** Reads a trace: `{header, samples}`. Throws an Error whose message can be shown. */
export function parseTrace(text) {
  const lines = text.split('\n').filter((line) => line.trim())
  let rows
  try {
    rows = lines.map((line) => JSON.parse(line))
  } catch {
    throw new Error('This file is not a trace: its lines are not JSON.')
  }
  const [header, ...samples] = rows
  if (header?.version !== 1 || !header.viewport) throw new Error('This file is not a version 1 trace.')
  const good = samples.filter(({ t, y }) => Number.isFinite(t) && Number.isFinite(y))
  if (!good.length) throw new Error('This trace contains no scrolling.')
  return { header, samples: good }
}

/** `0:07`, of milliseconds. */
export function clock(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
