// The file format of a recorded scroll: lines of JSON, a header and then one sample per line.

/** Parses a trace to `{header, samples}`. Throws an Error with a message for the person. */
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

/** Formats milliseconds as `0:07`. */
export function clock(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
