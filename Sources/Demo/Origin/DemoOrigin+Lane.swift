import Synchronization

extension DemoOrigin {
    /// A network path to the origin for one client: the same pictures with a share of the bandwidth that no other client
    /// uses, at addresses that no other client knows. So no cache holds its pictures.
    ///
    /// A lane has the conditions of the origin, except those that ``override(with:on:)`` sets. Two lanes with the same share
    /// compare two ways of fetching fairly.
    public final class Lane: Sendable {
        /// Part of the bandwidth, `0.01 ... 1`.
        public let share: Double
        /// First part of the lane's paths: `lane-1f…`, never used twice.
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

        /// Overrides conditions for this lane alone. They hold when the step that the lane is in has ended.
        ///
        /// - Parameter conditions: those of the origin.
        package func override(with changes: Conditions.Changes, on conditions: Conditions) {
            let merged = overrides.withLock { overrides in
                overrides.merge(changes)
                return overrides
            }
            transfers.change(to: conditions.changed(by: merged).cut(to: share))
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
