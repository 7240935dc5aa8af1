import Viewport

/// A recorded scroll: a gallery's size and layout, and where the content was over time.
public struct Trace: Sendable, Hashable {
    /// The name in results; not part of the file.
    public var name: String
    public var itemCount: Int
    /// CSS pixels.
    public var viewport: Size
    public var layout: LayoutOptions
    /// In time order; milliseconds and CSS pixels.
    public var samples: [ScrollSample]
    /// Which kind of scrolling went on when, where that is known: scores are then given kind by kind, too.
    public var kinds: [Span]

    /// A stretch of one kind of scrolling.
    public struct Span: Sendable, Hashable {
        /// Milliseconds, of the samples' clock.
        public var from: Double
        /// Milliseconds; at least `from`.
        public var to: Double
        /// The name in results: `scan`, `fling`.
        public var kind: String

        public init(from: Double, to: Double, kind: String) {
            self.from = from
            self.to = to
            self.kind = kind
        }
    }

    public init(
        name: String, itemCount: Int, viewport: Size, layout: LayoutOptions, samples: [ScrollSample], kinds: [Span] = []
    ) {
        self.name = name
        self.itemCount = itemCount
        self.viewport = viewport
        self.layout = layout
        self.samples = samples
        self.kinds = kinds
    }

    /// Milliseconds from the first sample to the last.
    public var duration: Double { (samples.last?.time ?? 0) - (samples.first?.time ?? 0) }
}

/// Why a trace could not be read.
public struct TraceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// 1-based.
    public let line: Int
    public let reason: String

    public init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }

    public var description: String { "line \(line): \(reason)" }
}

/// The bounds of a trace that is read.
public struct TraceLimits: Sendable, Hashable {
    /// Samples. Default 1,000,000 (over four hours at 60 a second), at least 1.
    public var samples = 1_000_000
    /// Bytes of one line. Default 65,536, at least 64.
    public var lineBytes = 65_536
    /// Items. Default 10,000,000, at least 1.
    public var items = 10_000_000

    public init() {}
}
