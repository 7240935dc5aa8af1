import Numbers

/// The size and orientation of a picture, needed to show its preview instead. Picture and preview are stored in the same orientation.
public struct PreviewFrame: Sendable, Equatable {
    /// Width of the picture in pixels as stored.
    public var width: Int
    /// Height of the picture in pixels as stored.
    public var height: Int
    public var orientation: Orientation

    public init(width: Int, height: Int, orientation: Orientation) {
        self.width = width
        self.height = height
        self.orientation = orientation
    }

    /// - Returns: `nil` if the frame has not been read.
    public init?(_ head: JPEGHead) {
        guard head.width > 0, head.height > 0 else { return nil }
        self.init(width: head.width, height: head.height, orientation: head.orientation)
    }

    /// - Returns: `nil` if the size is unknown.
    package init?(_ head: FileHead) {
        guard head.width > 0, head.height > 0 else { return nil }
        let swaps = head.orientation.swapsSides
        self.init(
            width: swaps ? head.height : head.width, height: swaps ? head.width : head.height,
            orientation: head.orientation)
    }

    /// The same frame for a preview that is stored upright.
    package var upright: PreviewFrame {
        let swaps = orientation.swapsSides
        return PreviewFrame(width: swaps ? height : width, height: swaps ? width : height, orientation: .up)
    }

    /// The part of a preview that shows the picture.
    package enum Content: Equatable {
        case all
        /// Only these columns and rows, if the pixels outside are dark.
        case boxed(columns: Range<Int>, rows: Range<Int>)
    }

    /// Maximum relative difference between two aspect ratios that count as the same.
    static let tolerance = 0.03
    /// Number of pixels cut off next to a bar, because the bar's colour bleeds into them.
    private static let bleeding = 1

    /// Finds the picture in a preview. Cameras put pictures of 3:2 and 16:9 between bars into previews of 160 x 120.
    ///
    /// - Returns: `nil` if a preview of this size cannot show the picture, because one of the two was turned later.
    package func content(width: Int, height: Int) -> Content? {
        guard self.width > 0, self.height > 0, width > 0, height > 0 else { return nil }
        let shape = Double(self.width) / Double(self.height)
        let ownShape = Double(width) / Double(height)
        if abs(ownShape / shape - 1) <= Self.tolerance { return .all }
        if (shape > 1 && ownShape < 1) || (shape < 1 && ownShape > 1) { return nil }
        func inner(_ length: Int, _ share: Double) -> Range<Int>? {
            let bar = Int(clamping: (Double(length) * (1 - share) / 2).rounded(.up)) + Self.bleeding
            return length > 2 * bar ? bar..<(length - bar) : nil
        }
        if shape > ownShape {
            return inner(height, ownShape / shape).map { .boxed(columns: 0..<width, rows: $0) }
        }
        return inner(width, shape / ownShape).map { .boxed(columns: $0, rows: 0..<height) }
    }
}
