import Numbers
import Viewport

/// Layouts in a compact binary format, for pages that cannot compute frames themselves. All numbers are little-endian.
enum LayoutChunk {
    /// Number of items between two entries of the index.
    static let indexStride = 1000

    /// Returns the rows of the items in `range`. Each row is `u16 height, u8 count, u16 width x count`, in whole CSS pixels. A row that is
    /// only partly in the range has only its items in the range.
    ///
    /// - Returns: `nil` if widths do not determine the positions: in a masonry layout, and if sections share rows.
    static func rows(_ range: Range<Int>, of layout: any Layout) -> [UInt8]? {
        guard !(layout.unwrapped is MasonryLayout), !layout.sharesRows else { return nil }
        var bytes: [UInt8] = []
        var frames = layout.frames(of: range)[...]
        while let first = frames.first {
            let row = frames.prefix(255).prefix { $0.y == first.y }
            append(first.height, to: &bytes)
            bytes.append(UInt8(row.count))
            for frame in row { append(frame.width, to: &bytes) }
            frames.removeFirst(row.count)
        }
        return bytes
    }

    /// Returns the top of every ``indexStride``th item, followed by the content height. Each is a `u32` in CSS pixels.
    static func index(of layout: any Layout) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ y: Double) {
            let value = UInt32(clamping: min(max(y.rounded(), 0), Double(UInt32.max)))
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        for item in stride(from: 0, to: layout.itemCount, by: indexStride) { append(layout.frame(of: item).y) }
        append(layout.contentHeight)
        return bytes
    }

    private static func append(_ length: Double, to bytes: inout [UInt8]) {
        let value = UInt16(clamping: min(max(length.rounded(), 0), Double(UInt16.max)))
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
}
