// The one mapping between heights of the rail and places of the content. Labels, bars, marker, pointer and hints use it.

const clamp = (/** @type {number} */ x, /** @type {number} */ high) => Math.min(Math.max(x, 0), Math.max(0, high))

/** Height of a line of the rail, px: of a label, and of the marker of a viewport that is small beside the content. */
export const LINE_HEIGHT = 16

export class Scale {
  /** Content that the room stands for, px. */
  extent
  /** The last place that the content scrolls to, px. */
  limit
  /** Heights that the top of a line can have, px. */
  room
  /** Height of a line or of the handle, px. */
  line

  /** The marker takes the room from 0 to `height - line`. */
  constructor(/** @type {{extent: number, limit: number, height: number, line: number}} */ { extent, limit, height, line }) {
    this.extent = extent
    this.limit = limit
    this.room = Math.max(0, height - line)
    this.line = line
  }

  /** Height of the line of a place, px. */
  yOf(/** @type {number} */ top) {
    return this.extent > 0 ? Math.round(clamp(top / this.extent, 1) * this.room) : 0
  }

  /** Place of the line that has its middle at a height, px. Places of the last screen lead to the end. */
  topAt(/** @type {number} */ middle) {
    return this.room > 0 ? clamp((clamp(middle - this.line / 2, this.room) / this.room) * this.extent, this.limit) : 0
  }

  /**
   * The first line that covers a height; undefined if none does.
   * @template {{y: number}} Line
   * @param {Line[]} lines
   * @param {number} height
   */
  lineAt(lines, height) {
    return lines.find(({ y }) => height >= y && height < y + this.line)
  }
}
