import JSON
import TaskPool
import Trace
import Viewport

extension Session {
    /// The Session document of the API.
    func document(_ state: SessionState) -> [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.object {
            $0.member("id", id)
            $0.member("name", state.name)
            writeView(state, to: &$0)
            $0.member("cold", lane != nil)
            if let share = lane?.share { $0.member("share", share) }
            $0.member("seq", state.core.seq)
            $0.member("events", "\(APIPath.sessions)/\(id)/events")
            $0.member("follow", "\(APIPath.follow)/\(followID)")
            $0.member("counts") { writeCounts(state, to: &$0) }
        }
        return writer.bytes
    }

    private func writeCounts(_ state: SessionState, to writer: inout JSONWriter) {
        let counts = counts(state)
        writer.object {
            $0.member("queued", counts.queued)
            $0.member("loading", counts.loading)
            $0.member("ready", state.core.readyCount)
            $0.member("failed", state.core.failureCount)
            $0.member("cancelled", state.core.cancelledCount)
            $0.member("wastedBytes", wastedBytes(state))
            if let fetched = thumbnails.transfers.settledBytes(of: content.serial) {
                $0.member("fetchedBytes", fetched)
            }
        }
    }

    /// Bytes that came and were of no use. On a lane of its own everything that came is known, and so is what of it was
    /// seen; elsewhere it is what this session let go of and what it was sent and never showed.
    private func wastedBytes(_ state: SessionState) -> Int {
        let exposure = state.core.exposure
        guard let fetched = thumbnails.transfers.settledBytes(of: content.serial) else {
            return state.cancelledBytes + exposure.unseenBytes
        }
        return max(0, fetched - (exposure.finishedBytes - exposure.unseenBytes))
    }

    /// Of what the session wants now, how much waits and how much is under way.
    private func counts(_ state: SessionState) -> (queued: Int, loading: Int) {
        let inFlight = itemsInFlight(state)
        let loading = inFlight.isEmpty ? 0 : state.core.plan.wanted.count { inFlight.contains($0.item) }
        return (max(0, state.core.unfinished - loading), loading)
    }

    func pending(in range: Range<Int>, _ state: SessionState) -> [(item: Int, isLoading: Bool)] {
        let inFlight = itemsInFlight(state)
        return state.core.plan.wanted
            .filter { range.contains($0.item) && !state.core.isSettled($0.item) }
            .map { ($0.item, inFlight.contains($0.item)) }
    }

    private func itemsInFlight(_ state: SessionState) -> Set<Int> {
        Set(
            thumbnails.transfers.progress(of: content.pictures.serial, at: state.size)
                .compactMap { content.item(ofOriginal: $0.item) })
    }

    /// The data of a `stats` event: counts, rates and shares, of the session and of the server. Times are milliseconds.
    func statsDocument(_ state: SessionState, server: ServerRates) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        let exposure = state.core.exposure
        let network = state.core.model.network
        writer.object {
            $0.member("time", now)
            $0.member("counts") { writeCounts(state, to: &$0) }
            $0.member("hitRatio", exposure.shown > 0 ? Double(exposure.shownReady) / Double(exposure.shown) : 1)
            $0.member("blankTime", exposure.blankTime)
            $0.member("visibleTime", exposure.visibleTime)
            $0.member("wastedBytes", wastedBytes(state))
            $0.member("latency", network.latency)
            $0.member("bandwidth", network.bandwidth * 8 / 1000)
            $0.member("streams", state.listeners.count)
            $0.member("followers", followers.count)
            $0.member("server") { server.write(to: &$0) }
        }
        return writer.bytes
    }
}
