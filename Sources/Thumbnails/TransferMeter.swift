import Pictures
import Synchronization
import TaskPool
import Threads
import Viewport

/// Counts the bytes of pictures as they come: those in flight by item, what became of them all, and what that says
/// about the network.
package final class TransferMeter: Sendable {
    package struct Totals: Sendable, Equatable {
        var started = 0
        package var completed = 0
        /// Transfers that were cancelled or broke off.
        package var abandoned = 0
        package var bytes = 0
        /// Bytes of the abandoned transfers.
        package var abandonedBytes = 0
    }

    private struct Download {
        var began: Double
        /// Bytes that were held before.
        var held = 0
        /// Those among them.
        var bytes = 0
        var hasAnswered = false
        /// Whether no more than the beginning of a picture is to come.
        var isHead = false
        /// Bytes of the whole picture, where the answer said so.
        var total: Int?

        /// Bytes of this transfer.
        var received: Int { bytes - held }

        /// How much has come, 0 ... 1; 0 while the whole is not known.
        var share: Double {
            guard let total, total > 0 else { return 0 }
            return min(1, Double(bytes) / Double(total))
        }
    }

    /// Mean time from asking to a preview, in milliseconds, and bytes downloaded for it.
    private struct PreviewCost {
        var time: Double
        var bytes: Double
    }

    private struct State {
        var inFlight: [ThumbnailKey: Download] = [:]
        /// When those came that are being rendered.
        var rendering: [ThumbnailKey: Double] = [:]
        var totals = Totals()
        var network = NetworkMeter()
        /// The cost of a preview, for contents whose pictures have them, by serial.
        var previews: [Int: PreviewCost] = [:]
        /// Of contents that are measured by themselves, by serial.
        var accounts: [Int: TransferAccount] = [:]

        func progress(of content: Int, at size: ThumbnailSize) -> [(item: Int, progress: Progress)] {
            inFlight.compactMap { key, transfer in
                guard key.content == content, key.size == size, !transfer.isHead else { return nil }
                return (key.item, Progress(share: transfer.share, total: transfer.total))
            }
        }

        /// The meter of the network that a content's pictures come over.
        subscript(networkOf content: Int) -> NetworkMeter {
            get { accounts[content]?.network ?? network }
            set {
                if accounts[content] == nil { network = newValue } else { accounts[content]?.network = newValue }
            }
        }
    }

    /// Transfers whose rendering is timed, at most; a picture that is never rendered must not stay for ever.
    private static let maxRendering = 1024
    /// Contents whose previews are timed, at most.
    private static let maxPreviewed = 64
    /// Renders at once.
    private let workers: Int
    private let state = Mutex(State())
    private let began = ContinuousClock.now

    /// - Parameter workers: renders at once.
    package init(workers: Int = 2) { self.workers = max(1, workers) }

    var now: Double { (ContinuousClock.now - began) / .milliseconds(1) }

    package var totals: Totals { state.withLock { $0.totals } }

    /// The cost of fetching a content's pictures now, as far as known, and the transfers under way at one size.
    package func overview(of content: Int, at size: ThumbnailSize, concurrency: Int) -> Overview {
        state.withLock { state in
            let meter = state[networkOf: content]
            return Overview(
                network: NetworkEstimate(
                    latency: meter.latency, bandwidth: meter.bandwidth, concurrency: concurrency,
                    itemBytes: meter.itemBytes, overhead: meter.renderTime + NetworkEstimate.showTime,
                    abortCost: meter.connectTime, renderInterval: meter.renderWork / Double(workers),
                    previewTime: state.previews[content].map { $0.time + NetworkEstimate.showTime },
                    previewBytes: state.previews[content]?.bytes ?? 0),
                inFlight: state.progress(of: content, at: size))
        }
    }

    package struct Overview: Sendable {
        package var network: NetworkEstimate
        package var inFlight: [(item: Int, progress: Progress)]
    }

    // MARK: Contents with an account of their own

    /// Measures a content by itself from now on: what it knows of its network, it finds out alone.
    package func openAccount(of content: Int) { state.withLock { $0.accounts[content] = TransferAccount() } }

    package func closeAccount(of content: Int) { state.withLock { $0.accounts[content] = nil } }

    /// Bytes that came for a content with an account of its own, those still under way left out; `nil` for others.
    package func settledBytes(of content: Int) -> Int? {
        state.withLock { state in
            guard let account = state.accounts[content] else { return nil }
            return account.bytes - state.inFlight.reduce(0) { $0 + ($1.key.content == content ? $1.value.received : 0) }
        }
    }

    /// Bytes that a picture weighed as it was downloaded, where its content has an account of its own.
    package func weight(of key: ThumbnailKey) -> Int? { state.withLock { $0.accounts[key.content]?.weights[key.item] } }

    /// Bytes that have come of those of some pictures that are under way.
    package func bytesInFlight(of keys: [ThumbnailKey]) -> Int {
        state.withLock { state in keys.reduce(0) { $0 + (state.inFlight[$1]?.received ?? 0) } }
    }

    /// How much of a transfer in flight has come, `0 ... 1`, 0 while its size is not known; `nil` where there is none.
    package func progress(of key: ThumbnailKey) -> Double? {
        state.withLock { $0.inFlight[key]?.share }
    }

    /// How far a transfer is.
    package struct Progress: Sendable {
        /// 0 ... 1.
        package var share: Double
        /// Bytes of the whole, where that is known.
        package var total: Int?
    }

    /// How far the transfers for a content are, at one size: fewer than there are downloads at once.
    package func progress(of content: Int, at size: ThumbnailSize) -> [(item: Int, progress: Progress)] {
        state.withLock { $0.progress(of: content, at: size) }
    }

    /// - Parameters:
    ///   - held: bytes of its beginning that came before and are not downloaded again.
    ///   - isHead: whether only its beginning is to come. To the model that is none of the picture's own transfer.
    func begin(_ key: ThumbnailKey, holding held: Int = 0, isHead: Bool = false) {
        let now = now
        state.withLock {
            $0.inFlight[key] = Download(began: now, held: held, bytes: held, isHead: isHead)
            $0.totals.started += 1
        }
    }

    /// - Parameters:
    ///   - bytes: of this transfer, so far.
    ///   - total: of the whole picture, where it is known.
    func received(_ bytes: Int, total: Int? = nil, of key: ThumbnailKey) {
        let now = now
        state.withLock { state in
            guard let before = state.inFlight[key], bytes > before.bytes else { return }
            if !before.hasAnswered {
                state[networkOf: key.content].began(afterWaiting: now - before.began, now: now)
                state.inFlight[key]?.hasAnswered = true
            }
            state[networkOf: key.content].received(Double(bytes - before.bytes), now: now)
            state.totals.bytes += bytes - before.bytes
            state.accounts[key.content]?.bytes += bytes - before.bytes
            state.inFlight[key]?.bytes = bytes
            if let total { state.inFlight[key]?.total = total }
        }
    }

    /// A transfer's answer came `waited` milliseconds after it was asked for, over a connection of HTTP/1.1.
    func connected(isNew: Bool, waited: Double, for key: ThumbnailKey) {
        state.withLock { $0[networkOf: key.content].connected(isNew: isNew, waited: waited) }
    }

    /// A thumbnail is finished, whether its picture was downloaded or not.
    func rendered(_ key: ThumbnailKey) {
        let now = now
        state.withLock { state in
            guard let came = state.rendering.removeValue(forKey: key) else { return }
            state[networkOf: key.content].rendered(in: now - came)
        }
    }

    /// Rendering a picture took so many milliseconds.
    func worked(_ duration: Double, for key: ThumbnailKey) {
        state.withLock { $0[networkOf: key.content].worked(duration) }
    }

    /// A preview came so many milliseconds after it was asked for, and with so many bytes over the network.
    func previewed(in duration: Double, downloading bytes: Int = 0, for key: ThumbnailKey) {
        state.withLock { state in
            if state.previews.count >= Self.maxPreviewed, state.previews[key.content] == nil { state.previews = [:] }
            let mean = state.previews[key.content] ?? PreviewCost(time: duration, bytes: Double(bytes))
            state.previews[key.content] = PreviewCost(
                time: mean.time + (duration - mean.time) / 16, bytes: mean.bytes + (Double(bytes) - mean.bytes) / 16)
        }
    }

    /// The beginning came; the rest is another transfer.
    func pause(_ key: ThumbnailKey) {
        let now = now
        state.withLock { state in
            guard let transfer = state.inFlight.removeValue(forKey: key), transfer.hasAnswered else { return }
            state[networkOf: key.content].ended(received: Double(transfer.received), whole: false, now: now)
        }
    }

    /// - Returns: milliseconds since it began.
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

/// The transfers of one content, where they are counted separately.
struct TransferAccount: Sendable {
    var network = NetworkMeter()
    var bytes = 0
    /// Bytes of the pictures that came whole, by item. As long as the content's session lives, a race of minutes.
    var weights: [Int: Int] = [:]
}
