// Groups frames computed by the server into rows for the grid.

/**
 * Groups frames (x, y, width, height, one after the other, of the items from `from` on) into rows numbered from `first`. If `maximum` is
 * Infinity, frames with the same top form a row. Otherwise `maximum` neighbours form a row. `firsts` are the first items of the rows.
 */
export function groupedInRows(frames, from, first, maximum) {
  const rows = []
  const count = frames.length / 4
  for (let begin = 0; begin < count; ) {
    let end = begin + 1
    while (end < count && (maximum === Infinity ? frames[end * 4 + 1] === frames[begin * 4 + 1] : end - begin < maximum)) end += 1
    let [top, bottom] = [Infinity, 0]
    for (let item = begin; item < end; item++) {
      top = Math.min(top, frames[item * 4 + 1])
      bottom = Math.max(bottom, frames[item * 4 + 1] + frames[item * 4 + 3])
    }
    const cells = new Float64Array(frames.slice(begin * 4, end * 4))
    for (let y = 1; y < cells.length; y += 4) cells[y] -= top
    rows.push({ key: from + begin, index: first + rows.length, y: top, height: bottom - top, from: from + begin, count: end - begin, cells })
    begin = end
  }
  return { rows, firsts: Float64Array.from(rows.map((row) => row.from)) }
}
