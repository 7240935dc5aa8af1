import Gallery
import MicroHTTP
import Synchronization
import Threads

/// The downloads of one kind that are being sent piece by piece: how many, to which addresses and how quickly.
package final class Downloads: Sendable {
    /// Downloads sent at once, of which one address may have a quarter.
    package let most: Int
    /// The kind of download, in the plural.
    private let kind: String

    /// The result of a download.
    enum Result: String, CaseIterable, Sendable {
        case completed
        /// It could not be sent to its end, or its reader left.
        case broken
        /// Its reader took less than ``ReaderPace/least``.
        case slow
    }

    private struct Sending: Sendable {
        let network: String?
        var pace = ReaderPace()
        var stream: ByteStream?
        var isSlow = false
    }

    private struct State {
        /// By their places.
        var sending: [Int: Sending] = [:]
        var lastPlace = 0
        var shares: AddressShares
        var results: [Result: Int] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter kind: in the plural, as messages and metrics name it.
    init(_ kind: String, most: Int) {
        self.kind = kind
        self.most = most
        state = Mutex(State(shares: AddressShares(of: most)))
    }

    /// A place among those that are sent at once. Given back at the download's end, or with the last reference.
    final class Place: Sendable {
        fileprivate let number: Int
        /// The network of the download's reader.
        let network: String?
        private let downloads: Downloads

        fileprivate init(_ number: Int, for network: String?, of downloads: Downloads) {
            self.number = number
            self.network = network
            self.downloads = downloads
        }

        deinit { downloads.state.withLock { _ = downloads.giveBack(number, &$0) } }
    }

    /// Takes a place for a download of a caller of this network.
    ///
    /// - Throws: 429 where there is none, or the network has its share.
    func place(for network: String?) throws(Problem) -> Place {
        let result: Swift.Result<Int, Problem> = state.withLock { state in
            guard state.sending.count < most else {
                return .failure(
                    Problem(
                        429, "Too many \(kind) are being sent: the limit is \(most). Try again later.",
                        retryAfter: 10))
            }
            guard state.shares.take(network) else {
                return .failure(
                    Problem(
                        429,
                        "Too many \(kind) are being sent to this address: the limit is \(state.shares.most). "
                            + "Try again later.", retryAfter: 10))
            }
            state.lastPlace += 1
            state.sending[state.lastPlace] = Sending(network: network)
            return .success(state.lastPlace)
        }
        return Place(try result.get(), for: network, of: self)
    }

    /// - Returns: what was being sent there; `nil` where the place was given back before.
    private func giveBack(_ number: Int, _ state: inout State) -> Sending? {
        guard let sending = state.sending.removeValue(forKey: number) else { return nil }
        state.shares.giveBack(sending.network)
        return sending
    }

    /// Sends a download on a stream, until its client leaves.
    ///
    /// - Parameter send: returns whether it was sent to its end.
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

    /// Writes to a download's reader.
    ///
    /// - Returns: whether it has taken all of it, once it has or is gone.
    func write(_ bytes: [UInt8], to stream: ByteStream, of place: Place) async -> Bool {
        state.withLock { $0.sending[place.number]?.pace.waits(at: .now) }
        stream.write(bytes)
        let isTaken = await stream.drained()
        state.withLock { $0.sending[place.number]?.pace.took(bytes.count, at: .now) }
        return isTaken
    }

    /// Ends the downloads whose readers are too slow: others wait for their places.
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
    static let least = 64 << 10
    /// Waiting time after which a reader is judged, each time.
    package static let window = Duration.seconds(60)

    /// Bytes that the reader took since it was last judged.
    private var bytes = 0
    private var waited = Duration.zero
    private var waitingSince: ContinuousClock.Instant?

    package init() {}

    /// Notes that the server sent data to the reader.
    package mutating func waits(at now: ContinuousClock.Instant) { waitingSince = waitingSince ?? now }

    /// Notes that the reader took all of so many bytes. Bytes in flight do not count yet, so a reader may seem slower than it is by
    /// part of one write.
    package mutating func took(_ count: Int, at now: ContinuousClock.Instant) {
        settle(at: now)
        waitingSince = nil
        bytes += count
    }

    /// Judges the reader if the waiting time is over.
    ///
    /// - Returns: whether the pace was below ``least``.
    package mutating func isTooSlow(at now: ContinuousClock.Instant) -> Bool {
        settle(at: now)
        guard waited >= Self.window else { return false }
        defer { (bytes, waited) = (0, .zero) }
        return Double(bytes) < Double(Self.least) * (waited / .seconds(1))
    }

    private mutating func settle(at now: ContinuousClock.Instant) {
        guard let since = waitingSince else { return }
        waited += max(.zero, now - since)
        waitingSince = max(now, since)
    }
}
