import Viewport

/// A recorded scroll: a gallery's size and layout, and the scroll position over time.
public struct Trace: Sendable, Hashable {
    /// The name in results. Not part of the file.
    public var name: String
    public var itemCount: Int
    /// In CSS pixels.
    public var viewport: Size
    public var layout: LayoutOptions
    /// Samples in time order, in milliseconds and CSS pixels.
    public var samples: [ScrollSample]
    /// Which kind of scrolling happened when, if known. Results then have scores for each kind, too.
    public var kinds: [Span]

    /// A stretch of one kind of scrolling.
    public struct Span: Sendable, Hashable {
        /// Start in milliseconds, on the samples' clock.
        public var from: Double
        /// End in milliseconds, at least `from`.
        public var to: Double
        /// The name in results, such as `scan` or `fling`.
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
    /// Line number, starting at 1.
    public let line: Int
    public let reason: String

    public init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }

    public var description: String { "line \(line): \(reason)" }
}

/// Limits for reading a trace.
public struct TraceLimits: Sendable, Hashable {
    /// Maximum number of samples. Default 1,000,000 (over four hours at 60 a second), at least 1.
    public var samples = 1_000_000
    /// Maximum bytes of a sample's line. Default 65,536, at least 64.
    public var lineBytes = 65_536
    /// Maximum bytes of the header's line, which has all samples if it is a record. Default 4 MB, at least 64.
    public var headerBytes = 4_000_000
    /// Maximum number of items. Default 10,000,000, at least 1.
    public var items = 10_000_000

    public init() {}
}
