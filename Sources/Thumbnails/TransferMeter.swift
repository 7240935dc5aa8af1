import Media
import Synchronization
import TaskPool
import Threads
import Viewport

/// Measures picture downloads as bytes arrive: transfers in flight by item, totals, and estimates of the network.
package final class TransferMeter: Sendable {
    package struct Totals: Sendable, Equatable {
        var started = 0
        package var completed = 0
        /// Transfers that were cancelled or failed.
        package var abandoned = 0
        package var bytes = 0
        package var abandonedBytes = 0
    }

    private struct Download {
        var began: Double
        var limit: SlotLimit?
        /// Bytes that were already held when the transfer began.
        var held = 0
        /// Bytes received so far, including held bytes.
        var bytes = 0
        var hasResponded = false
        /// Whether only the beginning of a picture is requested.
        var isHead = false
        /// Bytes of the whole picture, or `nil` if the response did not say.
        var total: Int?

        var received: Int { bytes - held }

        /// Received share of the picture, 0 ... 1. 0 while the total is unknown.
        var share: Double {
            guard let total, total > 0 else { return 0 }
            return min(1, Double(bytes) / Double(total))
        }
    }

    /// Mean time from request to preview, in milliseconds, and mean bytes downloaded for it.
    private struct PreviewCost {
        var time: Double
        var bytes: Double
    }

    private struct State {
        var inFlight: [ThumbnailKey: Download] = [:]
        /// When the downloads of pictures in rendering ended.
        var rendering: [ThumbnailKey: Double] = [:]
        var totals = Totals()
        var network = NetworkMeter()
        /// Mean cost of a preview for contents whose pictures have previews, by content serial.
        var previews: [Int: PreviewCost] = [:]
        /// Accounts of contents that are measured separately, by content serial.
        var accounts: [Int: TransferAccount] = [:]

        func progress(of content: Int, at size: ThumbnailSize, _ now: Double) -> [(item: Int, progress: Progress)] {
            inFlight.compactMap { key, transfer in
                guard key.content == content, key.size == size, !transfer.isHead else { return nil }
                return (
                    key.item,
                    Progress(
                        share: transfer.share, total: transfer.total, elapsed: now - transfer.began,
                        limit: transfer.limit)
                )
            }
        }

        subscript(networkOf content: Int) -> NetworkMeter {
            get { accounts[content]?.network ?? network }
            set {
                if accounts[content] == nil { network = newValue } else { accounts[content]?.network = newValue }
            }
        }
    }

    /// Maximum number of transfers whose rendering is timed. A picture that is never rendered must not stay forever.
    private static let maxRendering = 1024
    /// Maximum number of contents whose previews are timed.
    private static let maxPreviewed = 64
    private let workers: Int
    private let state = Mutex(State())
    private let began = ContinuousClock.now

    /// - Parameter workers: Number of concurrent renders.
    package init(workers: Int = 2) { self.workers = max(1, workers) }

    var now: Double { (ContinuousClock.now - began) / .milliseconds(1) }

    package var totals: Totals { state.withLock { $0.totals } }

    /// Returns the estimated cost of fetching a content's pictures now, and the transfers in flight at one size.
    package func overview(of content: Int, at size: ThumbnailSize, concurrency: Int) -> Overview {
        let now = now
        return state.withLock { state in
            let meter = state[networkOf: content]
            return Overview(
                network: NetworkEstimate(
                    latency: meter.latency, bandwidth: meter.bandwidth, concurrency: concurrency,
                    itemBytes: meter.itemBytes, overhead: meter.renderTime + NetworkEstimate.showTime,
                    abortCost: meter.connectTime, renderInterval: meter.renderWork / Double(workers),
                    previewTime: state.previews[content].map { $0.time + NetworkEstimate.showTime },
                    previewBytes: state.previews[content]?.bytes ?? 0),
                inFlight: state.progress(of: content, at: size, now))
        }
    }

    package struct Overview: Sendable {
        package var network: NetworkEstimate
        package var inFlight: [(item: Int, progress: Progress)]
    }

    // MARK: Contents with separate accounts

    /// Measures a content separately from now on. Its network estimates start from the defaults.
    package func openAccount(of content: Int) { state.withLock { $0.accounts[content] = TransferAccount() } }

    package func closeAccount(of content: Int) { state.withLock { $0.accounts[content] = nil } }

    /// Returns the bytes received for a content with a separate account, without transfers in flight. `nil` for other contents.
    package func settledBytes(of content: Int) -> Int? {
        state.withLock { state in
            guard let account = state.accounts[content] else { return nil }
            return account.bytes - state.inFlight.reduce(0) { $0 + ($1.key.content == content ? $1.value.received : 0) }
        }
    }

    /// Returns the downloaded bytes of a picture, or `nil` if its content has no separate account.
    package func weight(of key: ThumbnailKey) -> Int? { state.withLock { $0.accounts[key.content]?.weights[key.item] } }

    package func bytesInFlight(of keys: [ThumbnailKey]) -> Int {
        state.withLock { state in keys.reduce(0) { $0 + (state.inFlight[$1]?.received ?? 0) } }
    }

    /// Returns the received share of a transfer in flight, `0 ... 1`, 0 while its size is unknown. `nil` if there is no transfer.
    package func progress(of key: ThumbnailKey) -> Double? {
        state.withLock { $0.inFlight[key]?.share }
    }

    package struct Progress: Sendable {
        /// Received share, 0 ... 1.
        package var share: Double
        /// Bytes of the whole picture, or `nil` if unknown.
        package var total: Int?
        /// Milliseconds since the transfer began.
        package var elapsed = 0.0
        /// The limit for which the transfer has waited.
        package var limit: SlotLimit?
    }

    /// Returns the progress of a content's transfers at one size. Their number is at most that of concurrent downloads.
    package func progress(of content: Int, at size: ThumbnailSize) -> [(item: Int, progress: Progress)] {
        let now = now
        return state.withLock { $0.progress(of: content, at: size, now) }
    }

    /// - Parameters:
    ///   - limit: The limit for which the transfer has waited.
    ///   - held: Bytes of the picture's beginning that were received before and are not downloaded again.
    ///   - isHead: Whether only the beginning is requested. Progress excludes such a transfer.
    func begin(_ key: ThumbnailKey, after limit: SlotLimit? = nil, holding held: Int = 0, isHead: Bool = false) {
        let now = now
        state.withLock {
            $0.inFlight[key] = Download(began: now, limit: limit, held: held, bytes: held, isHead: isHead)
            $0.totals.started += 1
        }
    }

    /// - Parameters:
    ///   - bytes: Bytes received so far, including held bytes.
    ///   - total: Bytes of the whole picture, or `nil` if unknown.
    func received(_ bytes: Int, total: Int? = nil, of key: ThumbnailKey) {
        let now = now
        state.withLock { state in
            guard let before = state.inFlight[key], bytes > before.bytes else { return }
            if !before.hasResponded {
                state[networkOf: key.content].began(afterWaiting: now - before.began, now: now)
                state.inFlight[key]?.hasResponded = true
            }
            state[networkOf: key.content].received(Double(bytes - before.bytes), now: now)
            state.totals.bytes += bytes - before.bytes
            state.accounts[key.content]?.bytes += bytes - before.bytes
            state.inFlight[key]?.bytes = bytes
            if let total { state.inFlight[key]?.total = total }
        }
    }

    /// Records that a response arrived `waited` milliseconds after its request, over an HTTP/1.1 connection.
    func connected(isNew: Bool, waited: Double, for key: ThumbnailKey) {
        state.withLock { $0[networkOf: key.content].connected(isNew: isNew, waited: waited) }
    }

    /// Records that a thumbnail is finished, whether its picture was downloaded or not.
    func rendered(_ key: ThumbnailKey) {
        let now = now
        state.withLock { state in
            guard let came = state.rendering.removeValue(forKey: key) else { return }
            state[networkOf: key.content].rendered(in: now - came)
        }
    }

    /// Records that rendering a picture took `duration` milliseconds.
    func worked(_ duration: Double, for key: ThumbnailKey) {
        state.withLock { $0[networkOf: key.content].worked(duration) }
    }

    /// Records that a preview was ready `duration` milliseconds after its request, with `bytes` bytes downloaded.
    func previewed(in duration: Double, downloading bytes: Int = 0, for key: ThumbnailKey) {
        state.withLock { state in
            if state.previews.count >= Self.maxPreviewed, state.previews[key.content] == nil { state.previews = [:] }
            let mean = state.previews[key.content] ?? PreviewCost(time: duration, bytes: Double(bytes))
            state.previews[key.content] = PreviewCost(
                time: mean.time + (duration - mean.time) / 16, bytes: mean.bytes + (Double(bytes) - mean.bytes) / 16)
        }
    }

    /// Ends the transfer of a beginning. The rest is another transfer.
    func pause(_ key: ThumbnailKey) {
        let now = now
        state.withLock { state in
            guard let transfer = state.inFlight.removeValue(forKey: key), transfer.hasResponded else { return }
            state[networkOf: key.content].ended(received: Double(transfer.received), whole: false, now: now)
        }
    }

    /// - Returns: milliseconds since the transfer began.
    @discardableResult
    func end(_ key: ThumbnailKey, completed: Bool) -> Double {
        let now = now
        return state.withLock { state in
            let transfer = state.inFlight.removeValue(forKey: key)
            let bytes = transfer?.received ?? 0
            if bytes > 0 { state[networkOf: key.content].ended(received: Double(bytes), whole: completed, now: now) }
            if completed {
                if state.rendering.count >= Self.maxRendering { state.rendering = [:] }
                state.rendering[key] = now
                state.accounts[key.content]?.weights[key.item] = transfer?.bytes ?? 0
                state.totals.completed += 1
            } else {
                state.totals.abandoned += 1
                state.totals.abandonedBytes += bytes
            }
            return now - (transfer?.began ?? now)
        }
    }
}

/// The transfers of one content that is measured separately.
struct TransferAccount: Sendable {
    var network = NetworkMeter()
    var bytes = 0
    /// Bytes of downloaded pictures, by item. Lives as long as the content's session, a race of minutes.
    var weights: [Int: Int] = [:]
}
