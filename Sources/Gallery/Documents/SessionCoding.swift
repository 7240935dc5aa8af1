import JSON
import Media
import Viewport

/// The parts of a session's documents that its state does not hold. Read before the session's lock is taken.
struct ServiceSnapshot: Sendable {
    var followers: Int
    /// Items in flight at the session's thumbnail size, for any session.
    var inFlight: Set<Int>
    /// Bytes received by transfers that were in flight when the session cancelled them.
    var cancelledBytes: Int
    /// Bytes received over the session's own lane, or `nil` if the session has no lane.
    var settledBytes: Int?
    /// Set if the host of the first visible item is paused.
    var pause: HostPause?
}

/// A host to which the pool sends no fetches for a while.
struct HostPause: Sendable {
    /// Error of the latest fetch, as text for a person.
    var reason: String
    /// Seconds until the pool fetches from the host again.
    var retryAfter: Int
}

struct ProgressReport: Sendable {
    var wanted: [Want]
    var skipped: [Int]
    var size: ThumbnailSize

    /// `{"loading":[{"item","share"}],"queued":[item…],"skipped":[item…]}`
    ///
    /// - Parameter share: returns the received share of an item's transfer (`0 ... 1`), or `nil` if no transfer is in flight.
    func document(share: (Int) -> Double?) -> [UInt8] {
        var queued: [Int] = []
        var loading: [(item: Int, share: Double)] = []
        for want in wanted {
            if let share = share(want.item) { loading.append((want.item, share)) } else { queued.append(want.item) }
        }
        var writer = JSONWriter(capacity: 1024)
        writer.object {
            $0.member("loading") {
                $0.array {
                    for (item, share) in loading {
                        $0.object {
                            $0.member("item", item)
                            $0.member("share", (share * 100).rounded() / 100)
                        }
                    }
                }
            }
            $0.member("queued") { $0.array { for item in queued { $0.value(item) } } }
            $0.member("skipped") { $0.array { for item in skipped { $0.value(item) } } }
        }
        return writer.bytes
    }
}

extension SessionState {
    func document(_ snapshot: ServiceSnapshot) -> [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.object {
            $0.member("id", identity.id)
            $0.member("name", name)
            writeView(to: &$0)
            $0.member("cold", identity.isCold)
            if let share = identity.share { $0.member("share", share) }
            $0.member("seq", core.seq)
            $0.member("events", "\(APIPath.sessions)/\(identity.id)/events")
            $0.member("follow", "\(APIPath.follow)/\(identity.followID)")
            $0.member("counts") { writeCounts(snapshot, to: &$0) }
            if let pause = snapshot.pause {
                $0.member("paused") {
                    $0.object {
                        $0.member("reason", pause.reason)
                        $0.member("retryAfter", pause.retryAfter)
                    }
                }
            }
        }
        return writer.bytes
    }

    /// `{"name","gallery","itemCount","contentHeight","layout","policy","prefetching","viewport","visible","viewing"?,"events","followers"}`
    func followDocument(followers: Int) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.object {
            $0.member("name", name)
            writeView(to: &$0)
            $0.member("events", "\(APIPath.follow)/\(identity.followID)/events")
            $0.member("followers", followers)
        }
        return writer.bytes
    }

    private func writeView(to object: inout JSONWriter) {
        let model = core.model
        object.member("gallery", identity.gallery)
        object.member("itemCount", model.layout.itemCount)
        object.member("contentHeight", model.layout.contentHeight)
        object.member("layout") { layout.options.write(to: &$0) }
        object.member("policy", model.policy.rawValue)
        object.member("prefetching", wantsPrefetching)
        object.member("viewport") {
            $0.object {
                $0.member("width", model.viewport.width)
                $0.member("height", model.viewport.height)
                $0.member("pixelRatio", layout.pixelRatio)
                $0.member("scrollTop", model.scrollTop)
            }
        }
        object.member("visible") { model.visible.write(to: &$0) }
        if let viewing { object.member("viewing", viewing) }
    }

    private func writeCounts(_ snapshot: ServiceSnapshot, to writer: inout JSONWriter) {
        // The session's current wants are either in flight or queued.
        let loading = snapshot.inFlight.isEmpty ? 0 : core.plan.wanted.count { snapshot.inFlight.contains($0.item) }
        writer.object {
            $0.member("queued", max(0, core.unfinished - loading))
            $0.member("loading", loading)
            $0.member("ready", core.readyCount)
            $0.member("failed", core.model.ledger.failedItems.count)
            $0.member("cancelled", core.cancelledCount)
            $0.member("wastedBytes", wastedBytes(snapshot))
            if let fetched = snapshot.settledBytes { $0.member("fetchedBytes", fetched) }
        }
    }

    /// Returns the bytes that were received without use.
    ///
    /// On its own lane, the session counts every received byte that was not shown. Without a lane, it counts the bytes of
    /// cancelled transfers and of thumbnails that were sent but never shown.
    private func wastedBytes(_ snapshot: ServiceSnapshot) -> Int {
        let exposure = core.exposure
        guard let fetched = snapshot.settledBytes else { return snapshot.cancelledBytes + exposure.unseenBytes }
        return max(0, fetched - (exposure.finishedBytes - exposure.unseenBytes))
    }

    /// Returns the items of a range that the session waits for, and whether each item is being fetched.
    func pending(in range: Range<Int>, _ snapshot: ServiceSnapshot) -> [(item: Int, isLoading: Bool)] {
        core.plan.wanted
            .filter { range.contains($0.item) && !core.model.ledger.isSettled($0.item) }
            .map { ($0.item, snapshot.inFlight.contains($0.item)) }
    }

    /// Returns the data of a `stats` event: counts, rates and shares of the session and of the server. Times are in milliseconds.
    func statsDocument(_ snapshot: ServiceSnapshot, server: ServerRates) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        let exposure = core.exposure
        let network = core.model.network
        writer.object {
            $0.member("time", now)
            $0.member("counts") { writeCounts(snapshot, to: &$0) }
            $0.member("hitRatio", exposure.shown > 0 ? Double(exposure.shownReady) / Double(exposure.shown) : 1)
            $0.member("blankTime", exposure.blankTime)
            $0.member("visibleTime", exposure.visibleTime)
            $0.member("wastedBytes", wastedBytes(snapshot))
            $0.member("latency", network.latency)
            $0.member("bandwidth", network.bandwidth * 8 / 1000)
            $0.member("streams", listeners.all.count)
            $0.member("followers", snapshot.followers)
            $0.member("server") { server.write(to: &$0) }
        }
        return writer.bytes
    }
}

/// The server's rates over the last second and its current counts, for the `stats` events.
package struct ServerRates: Sendable {
    package var downloadsPerSecond = 0.0
    package var bytesPerSecond = 0.0
    package var cancelledPerSecond = 0.0
    /// Thumbnails per second that another server had rendered, or `nil` if there is no other server.
    package var foundElsewherePerSecond: Double?
    package var queued = 0
    package var loading = 0
    package var rendering = 0
    package var sessions = 0

    package init() {}

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("downloadsPerSecond", downloadsPerSecond)
            $0.member("bytesPerSecond", bytesPerSecond)
            $0.member("cancelledPerSecond", cancelledPerSecond)
            if let foundElsewherePerSecond { $0.member("foundElsewherePerSecond", foundElsewherePerSecond) }
            $0.member("queued", queued)
            $0.member("loading", loading)
            $0.member("rendering", rendering)
            $0.member("sessions", sessions)
        }
    }
}

/// Paths of the API, for routes and for links in documents.
package enum APIPath {
    package static let base = "/api/v1"
    package static let galleries = "/api/v1/galleries"
    package static let sessions = "/api/v1/sessions"
    package static let follow = "/api/v1/follow"
    package static let events = "/api/v1/events"
}
