import Numbers
import Viewport

/// How many items a viewport shows at once. Each of them is decided on at every update, on the one thread that answers.
package enum VisibleItemLimit {
    /// The most that a session may show. A screen of 3840 × 2160 shows 8,000 cells of 32 × 32.
    static let limit = 10_000

    /// About how many there are, of pictures of the usual shape.
    static func count(_ options: LayoutOptions, in viewport: Size) -> Double {
        func fitting(_ length: Double, _ cell: Double, _ gap: Double) -> Double {
            max(1, (length + gap) / (cell + gap))
        }
        let usual = AspectRatios.unknown
        let columns: Double
        let rowHeight: Double
        switch options.kind {
        case .grid(let width, let height):
            columns = fitting(viewport.width, width, options.interitemSpacing)
            rowHeight = height
        case .justified(let height):
            columns = fitting(viewport.width, usual * height, options.interitemSpacing)
            rowHeight = height
        case .masonry(let width):
            columns = min(
                Double(MasonryLayout.columnLimit), fitting(viewport.width, width, options.interitemSpacing))
            rowHeight = max(width, viewport.width / columns - options.interitemSpacing) / usual
        }
        // Rows that are partly in sight count.
        return columns * (1 + viewport.height / (rowHeight + options.lineSpacing))
    }

    /// - Parameter field: what made it so many.
    /// - Throws: 422 where it is more than ``limit``.
    package static func check(_ options: LayoutOptions, in viewport: Size, field: String) throws(Problem) {
        let count = Self.count(options, in: viewport)
        guard count > Double(limit) else { return }
        throw Problem(
            422,
            "A viewport of \(Int(clamping: viewport.width)) x \(Int(clamping: viewport.height)) px would show about "
                + "\(Int(clamping: count)) items of this layout at once; the limit is \(limit). "
                + "Make the items larger or the viewport smaller.", field: field)
    }
}
