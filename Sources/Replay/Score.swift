/// How a policy did on a trace.
public struct Score: Sendable, Hashable {
    /// Visible cell-seconds without their picture, over all visible cell-seconds. 0 ... 1.
    public var blankShare: Double
    /// The same, over the time in which the content moved under 1,500 CSS pixels a second.
    public var slowBlankShare: Double
    /// Bytes fetched and never seen, those of cancelled fetches included, over all bytes fetched. 0 ... 1.
    public var waste: Double
    /// From the last movement before a stop (a rest of 150 ms or more) to the last visible picture, in milliseconds; a
    /// stop that ends before that counts with its length. Median over the stops, 0 without any.
    public var settleP50: Double
    /// The same, 95th percentile.
    public var settleP95: Double
    /// Fetches started.
    public var requests: Int
    /// Fetches of them that were aborted.
    public var cancelled: Int
    /// Bytes fetched.
    public var bytes: Double
    /// The shares by kind of scrolling, in the order in which they first come; empty where the trace names none.
    public var byKind: [KindScore]

    /// The shares over the time of one kind of scrolling within a trace.
    public struct KindScore: Sendable, Hashable {
        public var kind: String
        public var blankShare: Double
        public var slowBlankShare: Double

        public init(kind: String, blankShare: Double, slowBlankShare: Double) {
            self.kind = kind
            self.blankShare = blankShare
            self.slowBlankShare = slowBlankShare
        }
    }

    public init(
        blankShare: Double, slowBlankShare: Double, waste: Double, settleP50: Double, settleP95: Double, requests: Int,
        cancelled: Int, bytes: Double, byKind: [KindScore] = []
    ) {
        self.blankShare = blankShare
        self.slowBlankShare = slowBlankShare
        self.waste = waste
        self.settleP50 = settleP50
        self.settleP95 = settleP95
        self.requests = requests
        self.cancelled = cancelled
        self.bytes = bytes
        self.byKind = byKind
    }
}
