import Synchronization
import TaskPool

// How many downloads at once, of all, from one host, and by this server of those that share.
extension ThumbnailService {
    /// Downloads at once from one host, at most: of all nodes together.
    package var concurrency: Int {
        get { state.withLock { $0.concurrency } ?? min(limits.fetch, limits.fetchPerHost) }
        set {
            state.withLock { $0.concurrency = newValue }
            applyLimits()
        }
    }

    /// A number of its own in the pool for a lane, above 0, and room for its downloads beside everyone else's.
    package func openLane() -> Int {
        defer { applyLimits() }
        return state.withLock { state in
            state.lanes += 1
            state.lastLane += 1
            return state.lastLane
        }
    }

    /// Gives a lane's room back. What was learned of it is forgotten.
    package func closeLane(_ host: Int) {
        state.withLock { $0.lanes -= 1 }
        applyLimits()
        pool.setFetchLimit(nil, host: host)
    }

    /// Cold sessions of a server at once, beside those on its own origin: two races.
    package static let maxColdSessions = 4

    /// Takes a place among the cold sessions; false where there are ``maxColdSessions`` already.
    package func openCold() -> Bool {
        state.withLock { state in
            guard state.coldSessions < Self.maxColdSessions else { return false }
            state.coldSessions += 1
            return true
        }
    }

    package func closeCold() { state.withLock { $0.coldSessions -= 1 } }

    /// Thumbnails that another server had made; `nil` where there is none.
    package var foundElsewhere: Int? { maker.sharing?.thumbnails.counts.hits }

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

    /// Tells the other nodes that the host of an item rests, unless it rests for one lane alone.
    func rests(_ key: ThumbnailKey, host: Int, for milliseconds: Double) {
        guard let locator = maker.items.item(of: key)?.item.locator,
            let name = locator.host, self.host(of: locator) == host
        else { return }
        maker.sharing?.thumbnails.rest(name, for: milliseconds)
    }
}
