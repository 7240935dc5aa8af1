import BoundedCache
import Dispatch
import Glibc
import MicroHTTP
import Numbers
import Synchronization
import Threads

/// The responses in flight. Each waits for its latency while its picture is painted, then shares the link with the others.
///
/// Everything runs on one queue, except painting, which has two queues.
package final class OriginTransfers: Sendable {
    private struct Sending {
        var entry: DemoOrigin.LogEntry
        var stream: ByteStream
        var subject: OriginSubject
        var fault: DemoOrigin.Fault?
        /// Time at which the latency ends, in milliseconds.
        var due: Double
        /// The complete response, or `nil` until it is painted.
        var response: [UInt8]?
        /// Number of bytes to send. Less than all for a truncated response.
        var length = 0
        var isOnLink = false
    }

    private struct State {
        var conditions: DemoOrigin.Conditions
        var transfers: [UInt64: Sending] = [:]
        var link = SharedLink()
        var next = 0
        /// Number of requests for each picture that is unavailable at first.
        var attempts: [DemoPicture: Int] = [:]
    }

    /// Time between writes while responses are being sent, in milliseconds.
    private static let tick = 4.0
    /// Maximum number of pictures in `attempts`. Beyond it, all are forgotten.
    private static let maxAttempts = 10_000

    let journal: OriginJournal
    private let shelf: PictureShelf
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "lookahead.origin", qos: .userInitiated)
    private let painter = DispatchQueue(label: "lookahead.origin.painter", qos: .userInitiated)
    /// Queue for pictures in full size. They take long, and other pictures must not wait for them.
    private let largePainter = DispatchQueue(label: "lookahead.origin.large", qos: .utility)
    private let began = ContinuousClock.now
    private let timer: Mutex<any DispatchSourceTimer>

    init(_ configuration: DemoOrigin.Configuration, _ conditions: DemoOrigin.Conditions) {
        journal = OriginJournal(capacity: configuration.logEntries)
        shelf = PictureShelf(limit: configuration.shelfBytes)
        state = Mutex(State(conditions: conditions))
        timer = Mutex(DispatchSource.makeTimerSource(flags: .strict, queue: queue))
        timer.withLock { timer in
            timer.setEventHandler { [weak self] in self?.step() }
            timer.schedule(deadline: .distantFuture)
            timer.activate()
        }
    }

    deinit { timer.withLock { $0.cancel() } }

    package var conditions: DemoOrigin.Conditions {
        get { state.withLock { $0.conditions } }
        set { queue.sync { apply(newValue) } }
    }

    /// Changes the conditions without waiting for the queue.
    func change(to conditions: DemoOrigin.Conditions) {
        queue.async { self.apply(conditions) }
    }

    func begin(_ subject: OriginSubject, target: String, on stream: ByteStream) {
        journal.began()
        let now = now()
        state.withLock { state in
            state.next += 1
            let conditions = state.conditions
            var fault: DemoOrigin.Fault?
            if case .picture(let picture, _) = subject { fault = picture.fault(failureRate: conditions.failureRate) }
            if fault == .unavailable, case .picture(let picture, _) = subject {
                let attempt = state.attempts[picture, default: 0] + 1
                if state.attempts.count > Self.maxAttempts { state.attempts = [:] }
                state.attempts[picture] = attempt
                if attempt > 2, conditions.failureRate < 1 { fault = nil }
            }
            let entry = DemoOrigin.LogEntry(
                number: state.next, target: target, item: subject.item, began: now, ended: now,
                outcome: .completed,
                bytes: 0, totalBytes: 0)
            state.transfers[stream.id] = Sending(
                entry: entry, stream: stream, subject: subject, fault: fault,
                due: now + conditions.wait(seed: subject.seed))
        }
        stream.onClose { [weak self] _ in
            guard let self else { return }
            queue.async { self.closed(stream.id) }
        }
        (subject.isLarge ? largePainter : painter).async { [weak self] in self?.paint(stream.id) }
    }

    func abortAll() {
        let streams = state.withLock { $0.transfers.values.map(\.stream) }
        for stream in streams { stream.abort() }
    }

    // MARK: - The painter's queue

    private func paint(_ id: UInt64) {
        // Skips responses that were cancelled before their turn.
        guard let transfer = state.withLock({ $0.transfers[id] }) else { return }
        let response = OriginResponse(transfer.subject, transfer.fault, shelf)
        queue.async {
            self.state.withLock { state in
                state.transfers[id]?.response = response.bytes
                state.transfers[id]?.length = response.length
                state.transfers[id]?.entry.totalBytes = response.bytes.count
            }
            self.step()
        }
    }

    // MARK: - The queue

    private func apply(_ conditions: DemoOrigin.Conditions) {
        step()  // Sends the bytes that are due now at the old rate.
        state.withLock { $0.conditions = conditions }
        step()
    }

    private func step() {
        let now = now()
        let (writes, next) = state.withLock { state -> ([(Sending, Range<Int>, Bool)], Double?) in
            let rate = state.conditions.bytesPerMillisecond
            var grants = state.link.advance(to: now, rate: rate)
            var joined = false
            for (id, transfer) in state.transfers
            where !transfer.isOnLink && transfer.response != nil && transfer.due <= now {
                state.transfers[id]?.isOnLink = true
                state.link.add(id, bytes: transfer.length, at: now)
                joined = true
            }
            // Without a bandwidth limit, new responses end immediately.
            if joined { grants += state.link.advance(to: now, rate: rate) }
            var writes: [(Sending, Range<Int>, Bool)] = []
            for (id, bytes, isDone) in grants {
                guard var transfer = state.transfers[id] else { continue }
                let from = transfer.entry.bytes
                let to = isDone ? transfer.length : min(from + bytes, transfer.length)
                transfer.entry.bytes = to
                writes.append((transfer, from..<to, isDone))
                state.transfers[id] = isDone ? nil : transfer
            }
            let due = state.transfers.values.filter { !$0.isOnLink && $0.response != nil }.map(\.due).min()
            let tick = state.link.nextEnd(rate: rate).map { now + min($0, Self.tick) }
            return (writes, [due, tick].compactMap(\.self).min())
        }
        for (transfer, range, isDone) in writes {
            if let response = transfer.response, !range.isEmpty { transfer.stream.write(Array(response[range])) }
            if isDone { finish(transfer) }
        }
        let deadline = next.map { DispatchTime.now() + .microseconds(Int(clamping: max($0 - self.now(), 0) * 1000)) }
        timer.withLock { $0.schedule(deadline: deadline ?? .distantFuture, leeway: .nanoseconds(0)) }
    }

    private func finish(_ transfer: Sending) {
        switch transfer.fault {
        case .truncated:
            transfer.stream.finish()
            end(transfer, .failed)
        case .unavailable:
            transfer.stream.finish(keepAlive: true)
            end(transfer, .failed)
        case .broken, nil:
            transfer.stream.finish(keepAlive: true)
            end(transfer, .completed)
        }
    }

    private func closed(_ id: UInt64) {
        let transfer = state.withLock { state in
            state.link.remove(id)
            return state.transfers.removeValue(forKey: id)
        }
        // Finished responses were removed earlier.
        if let transfer { end(transfer, .aborted) }
        step()
    }

    private func end(_ transfer: Sending, _ outcome: DemoOrigin.Outcome) {
        var entry = transfer.entry
        entry.outcome = outcome
        entry.ended = now()
        journal.ended(entry)
    }

    private func now() -> Double { (ContinuousClock.now - began) / .milliseconds(1) }
}

/// A cache of painted pictures, limited in bytes.
final class PictureShelf: Sendable {
    private let pictures: Mutex<BoundedCache<DemoPicture, [UInt8]>>

    init(limit: Int) { pictures = Mutex(BoundedCache(limit: limit)) }

    /// Returns the picture as JPEG, or `nil` if encoding fails.
    func jpeg(_ picture: DemoPicture) -> [UInt8]? {
        if let known = pictures.withLock({ $0[picture] }) { return known }
        guard let bytes = picture.jpeg() else { return nil }
        pictures.withLock { $0.insert(bytes, for: picture, cost: bytes.count) }
        return bytes
    }
}
