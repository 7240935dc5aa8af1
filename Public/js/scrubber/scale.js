// Maps positions on the rail to positions in the content. Labels, bars, marker, pointer and hints all use this mapping.

const clamp = (/** @type {number} */ x, /** @type {number} */ high) => Math.min(Math.max(x, 0), Math.max(0, high))

/** Height of a line on the rail, px: of a label, and minimum height of the marker. */
export const LINE_HEIGHT = 16

export class Scale {
  /** Height of the content that the rail represents, px. */
  extent
  /** The last scroll position, px. */
  limit
  /** Range of positions for the top of a line, px. */
  room
  /** Height of a line or of the handle, px. */
  line

  /** The top of the marker ranges from 0 to `height - line`. */
  constructor(/** @type {{extent: number, limit: number, height: number, line: number}} */ { extent, limit, height, line }) {
    this.extent = extent
    this.limit = limit
    this.room = Math.max(0, height - line)
    this.line = line
  }

  /** Returns the position on the rail for a position in the content, px. */
  yOf(/** @type {number} */ top) {
    return this.extent > 0 ? Math.round(clamp(top / this.extent, 1) * this.room) : 0
  }

  /** Returns the content position of the line with its middle at a height, px. Positions on the last screen lead to the end. */
  topAt(/** @type {number} */ middle) {
    return this.room > 0 ? clamp((clamp(middle - this.line / 2, this.room) / this.room) * this.extent, this.limit) : 0
  }

  /**
   * Returns the first line that covers a height, or undefined.
   * @template {{y: number}} Line
   * @param {Line[]} lines
   * @param {number} height
   */
  lineAt(lines, height) {
    return lines.find(({ y }) => height >= y && height < y + this.line)
  }
}
