/// The score of a policy on a trace.
public struct Score: Sendable, Hashable {
    /// Share of the visible cell-seconds in which the cell's picture was missing. 0 ... 1.
    public var blankShare: Double
    /// ``blankShare`` over the time in which the content moved slower than 1,500 CSS pixels a second.
    public var slowBlankShare: Double
    /// Share of the fetched bytes that was never seen, including cancelled fetches. 0 ... 1.
    public var waste: Double
    /// Time from the last movement before a stop (a pause of 150 ms or more) to the last visible picture, in milliseconds. If the
    /// next movement begins earlier, the length of the stop counts. Median over the stops, 0 without any.
    public var settleP50: Double
    /// 95th percentile of the time that ``settleP50`` measures.
    public var settleP95: Double
    /// Number of fetches started.
    public var requests: Int
    /// Number of aborted fetches.
    public var cancelled: Int
    /// Bytes fetched.
    public var bytes: Double
    /// Blank shares by kind of scrolling, in the order in which the trace names the kinds. Empty if the trace names none.
    public var byKind: [KindScore]

    /// Blank shares over the time of one kind of scrolling.
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
