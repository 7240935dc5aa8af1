import Numbers
import Viewport

/// Blank and wanted items, by time and by position relative to the viewport, in few enough cells to
/// draw: `columns` of time, and `rows` from one viewport height above the viewport to one below.
struct BlankMap {
    static let columns = 360
    /// Number of rows in each of the three viewport heights.
    static let rowsPerHeight = 8
    static var rows: Int { 3 * rowsPerHeight }

    /// Row by row: share of the cell's time and area that was blank (within the viewport) or wanted (outside it).
    private(set) var shares = [Double](repeating: 0, count: columns * rows)

    init(_ recording: Recording, _ playable: PlayableTrace) {
        guard playable.end > 0 else { return }
        for (index, frame) in recording.frames.enumerated() {
            let end = index + 1 < recording.frames.count ? recording.frames[index + 1].time : playable.end
            add(frame.blank, playable, index, from: frame.time, to: end, inside: true)
        }
        var frame = 0
        for (index, wanted) in recording.wanted.enumerated() {
            let end = index + 1 < recording.wanted.count ? recording.wanted[index + 1].time : playable.end
            while frame + 1 < playable.frames.count, playable.frames[frame + 1].time <= wanted.time { frame += 1 }
            add(wanted.items, playable, frame, from: wanted.time, to: end, inside: false)
        }
    }

    private mutating func add(
        _ items: [Int], _ playable: PlayableTrace, _ frame: Int, from start: Double, to end: Double, inside: Bool
    ) {
        let height = playable.trace.viewport.height
        let width = playable.layout.width
        guard end > start, height > 0, width > 0, !items.isEmpty else { return }
        let top = playable.frames[frame].sample.scrollTop
        let step = playable.end / Double(Self.columns)
        let band = height / Double(Self.rowsPerHeight)
        let firstColumn = min(Self.columns - 1, Int(clamping: start / step))
        let lastColumn = min(Self.columns - 1, Int(clamping: end / step))
        let rows = inside ? Self.rowsPerHeight..<2 * Self.rowsPerHeight : 0..<Self.rows
        for item in items {
            let cell = playable.layout.frame(of: item)
            for row in rows where inside || row / Self.rowsPerHeight != 1 {
                let bandTop = top + Double(row - Self.rowsPerHeight) * band
                let overlap = min(cell.maxY, bandTop + band) - max(cell.y, bandTop)
                guard overlap > 0 else { continue }
                let area = overlap * min(cell.width, width) / (band * width)
                for column in firstColumn...lastColumn {
                    let time = min(end, Double(column + 1) * step) - max(start, Double(column) * step)
                    shares[row * Self.columns + column] += max(0, time) / step * area
                }
            }
        }
    }

    /// Each row as runs of a letter from `a` (nothing) to `j` (all). A number after a letter is the length of the run, if not 1.
    /// Rows are separated by spaces.
    var text: String {
        let letters = Array("abcdefghij")
        var text = ""
        for row in 0..<Self.rows {
            if row > 0 { text += " " }
            var run = 0
            var last: Character = "a"
            func flush() {
                if run > 0 { text.append(last) }
                if run > 1 { text += "\(run)" }
            }
            for column in 0..<Self.columns {
                let share = min(1, shares[row * Self.columns + column])
                let level = share < 0.01 ? 0 : max(1, Int(clamping: (share * 9).rounded()))
                if letters[level] != last {
                    flush()
                    run = 0
                    last = letters[level]
                }
                run += 1
            }
            flush()
        }
        return text
    }
}
