import Synchronization
import TaskPool

// How many downloads at once, of all, from one host, and by this server of those that share.
extension ThumbnailService {
    /// Downloads at once from one host, at most: of all nodes together.
    var concurrency: Int {
        get { state.withLock { $0.concurrency } ?? min(limits.fetch, limits.fetchPerHost) }
        set {
            state.withLock { $0.concurrency = newValue }
            applyLimits()
        }
    }

    /// Above every number of a host, of which `limits.hostsRemembered` are given.
    static let firstLane = 65_000

    /// A number of its own in the pool for a lane, and room for its downloads beside everyone else's.
    func openLane() -> Int {
        defer { applyLimits() }
        return state.withLock { state in
            state.lanes += 1
            // A number that comes again after so many others finds nothing remembered of the one before.
            state.lastLane = state.lastLane % 50_000 + 1
            return Self.firstLane + state.lastLane
        }
    }

    func closeLane() {
        state.withLock { $0.lanes -= 1 }
        applyLimits()
    }

    /// Takes a place among the cold sessions; false where there are `SessionLane.maxCold` already.
    func openCold() -> Bool {
        state.withLock { state in
            guard state.coldSessions < SessionLane.maxCold else { return false }
            state.coldSessions += 1
            return true
        }
    }

    func closeCold() { state.withLock { $0.coldSessions -= 1 } }

    /// Thumbnails that another server had made; `nil` where there is none.
    var foundElsewhere: Int? { runner.sharing?.thumbnails.counts.hits }

    /// Divides the downloads from each host among so many nodes.
    func share(with nodes: Int) {
        state.withLock { $0.nodes = nodes }
        applyLimits()
    }

    private func applyLimits() {
        let (lanes, concurrency, nodes) = state.withLock { ($0.lanes, $0.concurrency, $0.nodes) }
        var limits = limits
        limits.nodes = nodes
        limits.fetchPerHost = concurrency ?? limits.fetchPerHost
        limits.fetch = max(limits.fetch, limits.fetchPerHost) + lanes * limits.fetchPerHost
        pool.setLimits(limits)
    }

    /// Tells the other nodes that a host rests.
    func rests(_ host: Int, for milliseconds: Double) {
        guard let name = state.withLock({ $0.hostNames[host] }) else { return }
        runner.sharing?.thumbnails.rest(name, for: milliseconds)
    }
}
