import Synchronization
import TaskPool

// Limits on concurrent downloads: total, from one host, and this server's share among all nodes.
extension ThumbnailService {
    /// Maximum number of concurrent downloads from one host, by all nodes together.
    package var concurrency: Int {
        get { state.withLock { $0.concurrency } ?? min(limits.fetch, limits.fetchPerHost) }
        set {
            state.withLock { $0.concurrency = newValue }
            applyLimits()
        }
    }

    /// Returns a new number for a lane in the pool, above 0, and adds room for the lane's downloads.
    package func openLane() -> Int {
        defer { applyLimits() }
        return state.withLock { state in
            state.lanes += 1
            state.lastLane += 1
            return state.lastLane
        }
    }

    /// Removes a lane's room and forgets its learned state.
    package func closeLane(_ host: Int) {
        state.withLock { $0.lanes -= 1 }
        applyLimits()
        pool.setFetchLimit(nil, host: host)
    }

    /// Maximum number of cold sessions at the same time, except those on the server's own origin: two races.
    package static let maxColdSessions = 4

    /// Counts a new cold session. Returns `false` if there are already ``maxColdSessions``.
    package func openColdSession() -> Bool {
        state.withLock { state in
            guard state.coldSessions < Self.maxColdSessions else { return false }
            state.coldSessions += 1
            return true
        }
    }

    package func closeColdSession() { state.withLock { $0.coldSessions -= 1 } }

    /// Number of thumbnails found that another server had made, or `nil` if nothing is shared.
    package var foundElsewhere: Int? { maker.services.sharing?.thumbnails.counts.hits }

    /// Divides the downloads from each host among `nodes` nodes.
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

    /// Reports to the other nodes that an item's host is paused, unless only one lane's host is paused.
    func hostPaused(_ key: ThumbnailKey, host: Int, for milliseconds: Double) {
        guard let locator = maker.services.items.item(of: key)?.item.locator,
            let name = locator.host, self.host(of: locator) == host
        else { return }
        maker.services.sharing?.thumbnails.pause(name, for: milliseconds)
    }
}
