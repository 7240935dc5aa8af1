import Synchronization

extension DemoOrigin {
    /// A line to the origin that one client has for itself: the same pictures under the same conditions, but with a share
    /// of the bandwidth that nobody else draws on, and addresses that nobody else knows, so that nothing of it is cached
    /// anywhere.
    ///
    /// Two lanes of the same share are how two ways of fetching are compared fairly.
    public final class Lane: Sendable {
        /// Part of the origin's bandwidth, `0.01 ... 1`.
        public let share: Double
        /// The first part of its paths: `lane-1f…`, never used twice.
        public let name: String
        package let transfers: OriginTransfers
        private let closing: @Sendable (Lane) -> Void

        init(
            _ configuration: Configuration, _ conditions: Conditions, share: Double,
            closing: @escaping @Sendable (Lane) -> Void
        ) {
            self.share = share.isFinite ? min(max(share, 0.01), 1) : 1
            name = "lane-" + String(UInt64.random(in: .min ... .max), radix: 16)
            transfers = OriginTransfers(configuration, conditions.cut(to: self.share))
            self.closing = closing
        }

        /// The requests on this lane.
        public var log: Log { transfers.journal.log }

        /// Breaks off what is under way; its addresses are 404 from now on.
        public func close() {
            closing(self)
            transfers.abortAll()
        }
    }
}

extension DemoOrigin.Conditions {
    /// The same with that share of the bandwidth.
    func cut(to share: Double) -> DemoOrigin.Conditions {
        var conditions = self
        conditions.bandwidth = bandwidth.map { $0 * share }
        return conditions
    }
}

/// The lanes that are open, by name.
final class OriginLanes: Sendable {
    private let lanes = Mutex<[String: DemoOrigin.Lane]>([:])

    var all: [DemoOrigin.Lane] { lanes.withLock { Array($0.values) } }

    subscript(name: String) -> DemoOrigin.Lane? { lanes.withLock { $0[name] } }

    func add(_ lane: DemoOrigin.Lane) { lanes.withLock { $0[lane.name] = lane } }

    func remove(_ lane: DemoOrigin.Lane) { lanes.withLock { $0[lane.name] = nil } }
}
