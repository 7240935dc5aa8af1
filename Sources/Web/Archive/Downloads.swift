import Gallery
import MicroHTTP
import Synchronization
import Threads

/// Downloads of one kind that are being sent in pieces. Limits their number in total and per network, and measures their pace.
package final class Downloads: Sendable {
    /// Maximum number of simultaneous downloads. One network may use a quarter of them.
    package let maximum: Int
    /// Kind of download, in the plural.
    private let kind: String

    enum Result: String, CaseIterable, Sendable {
        case completed
        /// The download could not be completed, or its reader left.
        case broken
        /// The reader was slower than ``ReaderPace/minimum``.
        case slow
    }

    private struct Sending: Sendable {
        let network: String?
        var pace = ReaderPace()
        var stream: ByteStream?
        var isSlow = false
    }

    private struct State {
        /// Downloads by the numbers of their places.
        var sending: [Int: Sending] = [:]
        var lastPlace = 0
        var shares: AddressShares
        var results: [Result: Int] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter kind: kind of download in the plural, for messages and metrics.
    init(_ kind: String, maximum: Int) {
        self.kind = kind
        self.maximum = maximum
        state = Mutex(State(shares: AddressShares(of: maximum)))
    }

    /// One of the limited places for a download. Released at the end of the download, or with the last reference.
    final class Place: Sendable {
        fileprivate let number: Int
        let network: String?
        private let downloads: Downloads

        fileprivate init(_ number: Int, for network: String?, of downloads: Downloads) {
            self.number = number
            self.network = network
            self.downloads = downloads
        }

        deinit { downloads.state.withLock { _ = downloads.giveBack(number, &$0) } }
    }

    /// - Throws: 429 if all places are used, or if the network has used its share.
    func place(for network: String?) throws(Problem) -> Place {
        let result: Swift.Result<Int, Problem> = state.withLock { state in
            guard state.sending.count < maximum else {
                return .failure(
                    Problem(
                        429, "Too many \(kind) are being sent: the limit is \(maximum). Try again later.",
                        retryAfter: 10))
            }
            guard state.shares.take(network) else {
                return .failure(
                    Problem(
                        429,
                        "Too many \(kind) are being sent to this address: the limit is \(state.shares.maximum). "
                            + "Try again later.", retryAfter: 10))
            }
            state.lastPlace += 1
            state.sending[state.lastPlace] = Sending(network: network)
            return .success(state.lastPlace)
        }
        return Place(try result.get(), for: network, of: self)
    }

    /// - Returns: the download, or `nil` if its place was already released.
    private func giveBack(_ number: Int, _ state: inout State) -> Sending? {
        guard let sending = state.sending.removeValue(forKey: number) else { return nil }
        state.shares.giveBack(sending.network)
        return sending
    }

    /// Runs a download on a stream. Cancels it if the client leaves.
    ///
    /// - Parameter send: sends the download, and returns whether it was completed.
    func begin(_ place: Place, on stream: ByteStream, _ send: @escaping @Sendable () async -> Bool) {
        state.withLock { $0.sending[place.number]?.stream = stream }
        let task = Task {
            let isComplete = await send()
            state.withLock { state in
                let isSlow = giveBack(place.number, &state)?.isSlow == true
                state.results[isSlow ? .slow : isComplete ? .completed : .broken, default: 0] += 1
            }
        }
        stream.onClose { _ in task.cancel() }
    }

    /// Writes to a download's reader and waits until the reader has accepted all bytes or is gone.
    ///
    /// - Returns: whether the reader has accepted all bytes.
    func write(_ bytes: [UInt8], to stream: ByteStream, of place: Place) async -> Bool {
        state.withLock { $0.sending[place.number]?.pace.waits(at: .now) }
        stream.write(bytes)
        let isTaken = await stream.drained()
        state.withLock { $0.sending[place.number]?.pace.took(bytes.count, at: .now) }
        return isTaken
    }

    /// Ends the downloads whose readers are too slow, to free their places.
    package func endSlow(at now: ContinuousClock.Instant) {
        let streams = state.withLock { state in
            state.sending.keys.sorted().compactMap { number -> ByteStream? in
                guard state.sending[number]?.pace.isTooSlow(at: now) == true else { return nil }
                state.sending[number]?.isSlow = true
                return state.sending[number]?.stream
            }
        }
        for stream in streams { stream.abort() }
    }

    var metrics: [Metric] {
        let (count, results) = state.withLock { ($0.sending.count, $0.results) }
        var ended = Metric(
            "\(kind)_total", .counter, "Downloads of \(kind) that ended, by result; slow: the client read too slowly.")
        for result in Result.allCases { ended = ended.with(results[result] ?? 0, ("result", result.rawValue)) }
        return [Metric(kind, .gauge, "Downloads of \(kind) being sent, or about to be.").with(count), ended]
    }
}

/// Measures how quickly a reader takes data while the server waits for it. A slow disk or origin does not count against the reader.
package struct ReaderPace: Sendable {
    /// Minimum pace, in bytes a second.
    static let minimum = 64 << 10
    /// Waiting time after which the pace is checked, each time.
    package static let window = Duration.seconds(60)

    /// Bytes accepted by the reader since the last check.
    private var bytes = 0
    private var waited = Duration.zero
    private var waitingSince: ContinuousClock.Instant?

    package init() {}

    /// Records that the server began to wait for the reader.
    package mutating func waits(at now: ContinuousClock.Instant) { waitingSince = waitingSince ?? now }

    /// Records that the reader accepted `count` bytes. Bytes in flight do not count before that, so a reader may seem slower by part of one
    /// write.
    package mutating func took(_ count: Int, at now: ContinuousClock.Instant) {
        settle(at: now)
        waitingSince = nil
        bytes += count
    }

    /// Checks the pace if the waiting time is over.
    ///
    /// - Returns: whether the pace was below ``minimum``.
    package mutating func isTooSlow(at now: ContinuousClock.Instant) -> Bool {
        settle(at: now)
        guard waited >= Self.window else { return false }
        defer { (bytes, waited) = (0, .zero) }
        return Double(bytes) < Double(Self.minimum) * (waited / .seconds(1))
    }

    private mutating func settle(at now: ContinuousClock.Instant) {
        guard let since = waitingSince else { return }
        waited += max(.zero, now - since)
        waitingSince = max(now, since)
    }
}
