import Synchronization
import TaskPool
import Viewport

/// Counts the bytes of pictures as they come: those in flight by item, what became of them all, and what that says
/// about the network.
final class TransferMeter: Sendable {
    struct Totals: Sendable, Equatable {
        var started = 0
        var completed = 0
        /// Transfers that were cancelled or broke off.
        var abandoned = 0
        var bytes = 0
        /// Bytes of the abandoned transfers.
        var abandonedBytes = 0
    }

    private struct Transfer {
        var began: Double
        var bytes = 0
    }

    private struct State {
        var inFlight: [ThumbnailKey: Transfer] = [:]
        var totals = Totals()
        var network = NetworkMeter()
    }

    private let state = Mutex(State())
    private let clock = ContinuousClock()
    private let epoch = ContinuousClock().now

    private var now: Double { (clock.now - epoch) / .milliseconds(1) }

    var totals: Totals { state.withLock { $0.totals } }

    /// What fetching costs now, as far as it is known.
    func network(concurrency: Int) -> NetworkEstimate {
        state.withLock { state in
            NetworkEstimate(
                latency: state.network.latency, bandwidth: state.network.bandwidth, concurrency: concurrency,
                itemBytes: state.network.itemBytes)
        }
    }

    /// Bytes that have come of a transfer in flight; `nil` where there is none.
    func bytesInFlight(of key: ThumbnailKey) -> Int? { state.withLock { $0.inFlight[key]?.bytes } }

    func begin(_ key: ThumbnailKey) {
        let now = now
        state.withLock {
            $0.inFlight[key] = Transfer(began: now)
            $0.totals.started += 1
        }
    }

    /// - Parameter bytes: of this transfer, so far.
    func received(_ bytes: Int, of key: ThumbnailKey) {
        let now = now
        state.withLock { state in
            guard let before = state.inFlight[key], bytes > before.bytes else { return }
            if before.bytes == 0 { state.network.began(afterWaiting: now - before.began, now: now) }
            state.totals.bytes += bytes - before.bytes
            state.inFlight[key]?.bytes = bytes
        }
    }

    /// - Returns: milliseconds since it began.
    @discardableResult
    func end(_ key: ThumbnailKey, completed: Bool) -> Double {
        let now = now
        return state.withLock { state in
            let transfer = state.inFlight.removeValue(forKey: key)
            let bytes = transfer?.bytes ?? 0
            if bytes > 0 { state.network.ended(received: Double(bytes), whole: completed, now: now) }
            if completed {
                state.totals.completed += 1
            } else {
                state.totals.abandoned += 1
                state.totals.abandonedBytes += bytes
            }
            return now - (transfer?.began ?? now)
        }
    }
}
