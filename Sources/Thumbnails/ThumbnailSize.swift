import Media
import Numbers
import Viewport

// The size of a thumbnail, from the layout and the screen.
extension ThumbnailSize {
    /// Sizes are rounded up to multiples of this, so that windows of nearly the same size share thumbnails.
    static let quantum = 64

    /// Class of sizes with similar rendering cost: powers of two of the longer side.
    package var costClass: Int { Int.bitWidth - max(0, max(width, height) - 1).leadingZeroBitCount }

    /// The size that a layout's cells need on a screen with `pixelRatio` device pixels per CSS pixel: a box that the picture covers.
    /// If a cell has the picture's own shape, the side that the layout does not fix is free (0).
    package init(cells options: LayoutOptions, layoutWidth: Double, pixelRatio: Double) {
        func pixels(_ length: Double) -> Int {
            let needed = min(max(length * pixelRatio, 1), 4096)
            return (Int(clamping: needed.rounded(.up)) + Self.quantum - 1) / Self.quantum * Self.quantum
        }
        switch options.kind {
        case .grid(let itemWidth, let itemHeight):
            self.init(width: pixels(min(itemWidth, layoutWidth)), height: pixels(itemHeight))
        case .justified(let rowHeight):
            // Rows are stretched by up to a third to fill the width.
            self.init(width: 0, height: pixels(rowHeight * 4 / 3))
        case .masonry(let columnWidth):
            self.init(width: pixels(min(columnWidth, layoutWidth)), height: 0)
        }
    }
}
