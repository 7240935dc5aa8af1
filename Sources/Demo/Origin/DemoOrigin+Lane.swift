import Synchronization

extension DemoOrigin {
    /// A private network path to the origin for one client.
    ///
    /// A lane has the same pictures, a share of the bandwidth for itself, and addresses that no other client uses. So no cache has its
    /// pictures. Two lanes with equal shares compare two fetching strategies fairly.
    ///
    /// A lane has the conditions of the origin, except those that ``override(with:on:)`` sets.
    public final class Lane: Sendable {
        /// Fraction of the origin's bandwidth, `0.01 ... 1`.
        public let share: Double
        /// First component of the lane's paths, such as `lane-1f…`. Random, never used twice.
        public let name: String
        package let transfers: OriginTransfers
        private let overrides: Mutex<Conditions.Changes>
        private let closing: @Sendable (Lane) -> Void

        init(
            _ configuration: Configuration, _ conditions: Conditions, share: Double, overrides: Conditions.Changes,
            closing: @escaping @Sendable (Lane) -> Void
        ) {
            self.share = share.isFinite ? min(max(share, 0.01), 1) : 1
            self.overrides = Mutex(overrides)
            name = "lane-" + String(UInt64.random(in: .min ... .max), radix: 16)
            transfers = OriginTransfers(configuration, conditions.changed(by: overrides).cut(to: self.share))
            self.closing = closing
        }

        /// Applies the origin's conditions, except those that the lane overrides.
        func apply(_ conditions: Conditions) {
            transfers.conditions = conditions.changed(by: overrides.withLock { $0 }).cut(to: share)
        }

        /// Overrides conditions for this lane only. The changes apply after the current step of the lane.
        ///
        /// - Parameter conditions: Conditions of the origin.
        package func override(with changes: Conditions.Changes, on conditions: Conditions) {
            let merged = overrides.withLock { overrides in
                overrides.merge(changes)
                return overrides
            }
            transfers.change(to: conditions.changed(by: merged).cut(to: share))
        }

        public var log: Log { transfers.journal.log }

        /// Aborts the lane's responses in flight. Later requests to its addresses get 404.
        public func close() {
            closing(self)
            transfers.abortAll()
        }
    }
}

extension DemoOrigin.Conditions {
    /// Returns the same conditions with a share of the bandwidth.
    func cut(to share: Double) -> DemoOrigin.Conditions {
        var conditions = self
        conditions.bandwidth = bandwidth.map { $0 * share }
        return conditions
    }
}

/// The open lanes, by name.
final class OriginLanes: Sendable {
    private let lanes = Mutex<[String: DemoOrigin.Lane]>([:])

    var all: [DemoOrigin.Lane] { lanes.withLock { Array($0.values) } }

    subscript(name: String) -> DemoOrigin.Lane? { lanes.withLock { $0[name] } }

    func add(_ lane: DemoOrigin.Lane) { lanes.withLock { $0[lane.name] = lane } }

    func remove(_ lane: DemoOrigin.Lane) { lanes.withLock { $0[lane.name] = nil } }
}
