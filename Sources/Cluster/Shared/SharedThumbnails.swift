import Fetch
import Media
import Numbers
import Synchronization
import Threads

/// Shares thumbnails among nodes through Redis or Valkey: finished thumbnails, failures, and which node makes which thumbnail.
///
/// Sharing is optional. If a server is unavailable, slow or full, or has foreign values, the node makes its thumbnails without the
/// others. A ``LeaseTable`` for each server decides, nearly always on the client's thread. This class carries out its decisions.
package final class SharedThumbnails: Sendable {
    /// A request for a thumbnail.
    package struct Claim: Sendable {
        package var storeKey: String
        /// Accepts only thumbnails that the origin confirmed after this time, in seconds since 1970. -1 accepts any.
        package var newerThan: Double
        /// Whether to ignore and delete a stored failure.
        package var forgives: Bool
        /// Name and port of the host the picture is fetched from, or `nil` for none.
        package var host: String?
        /// Called from any thread when the want should claim again. Must not block.
        package var wake: @Sendable () -> Void
        /// Called with `true` if the work must continue although nobody on this node wants the result, and with `false` when this
        /// need ends.
        package var hold: @Sendable (Bool) -> Void

        package init(
            storeKey: String, newerThan: Double = -1, forgives: Bool = false, host: String? = nil,
            wake: @escaping @Sendable () -> Void, hold: @escaping @Sendable (Bool) -> Void
        ) {
            (self.storeKey, self.newerThan, self.forgives) = (storeKey, newerThan, forgives)
            (self.host, self.wake, self.hold) = (host, wake, hold)
        }
    }

    package enum Outcome: Sendable {
        case thumbnail(Thumbnail)
        /// A stored failure, which expires after this time.
        case failure(SharedFailure, milliseconds: Double)
        /// Make the thumbnail, then call ``SharedWant/finish(_:)``. Releasing the want also releases the lease.
        case lead(SharedWant)
        /// Another node makes the thumbnail: claim again after this time, or when woken.
        case wait(SharedWant, milliseconds: Double)
        /// No node makes the thumbnail, because the host cools down for this time.
        case hostPaused(milliseconds: Double)
        /// Make the thumbnail without a lease.
        case alone
    }

    package enum Result: Sendable {
        case thumbnail(Thumbnail)
        /// A failure that expires after this time.
        case failure(SharedFailure, seconds: Double)
    }

    package struct State: Sendable {
        var tables: [LeaseTable]
        /// Wants that have not ended, by server.
        var wants: [[LeaseTable.Want: Open]]
        /// Total bytes of the thumbnails that arrived with messages and that no want has taken yet.
        package var arrivedBytes = 0
        /// Whether each server responds. `nil` if not known yet.
        var isOpen: [Bool?]
        var counts = SharedCounts()
        /// Number of nodes that each server reported since the last update, or `nil` if it reported none.
        var counted: [Int?]
        var nodes = NodeCount()
        /// Called with the number of nodes when this changes.
        var onNodes: (@Sendable (Int) -> Void)?
        var onRevision: (@Sendable (_ server: Int, _ revision: Int64) -> Void)?

        mutating func forget(_ want: LeaseTable.Want, on server: Int) {
            arrivedBytes -= wants[server].removeValue(forKey: want)?.arrived?.byteCount ?? 0
        }
    }

    /// A want that has not ended.
    struct Open: Sendable {
        var claim: Claim
        var base: String
        /// The caller that waits for the outcome of its claim.
        var asker: Asker?
        /// The thumbnail sent by the node that made it.
        var arrived: Thumbnail?
    }

    /// The outcome of a claim on the client's thread. ``Outcome`` is the form for callers.
    enum Reply: Sendable {
        case found(Outcome)
        case lead
        case wait(milliseconds: Double)
        case hostPaused(milliseconds: Double)
        case alone
    }

    typealias Asker = @Sendable (Reply) -> Void

    package let keys: SharedKeys
    /// Zero of the times in the lease tables.
    let began = ContinuousClock.now
    let node: String
    /// Distinguishes this run of the node from earlier ones.
    let incarnation: String
    /// Milliseconds until a lease expires, as an argument for scripts.
    let lease: String
    package let state: Mutex<State>
    private let servers: RendezvousHash
    /// Set once in `init`, before any use.
    private let connection = Mutex<RedisClient?>(nil)
    let report: @Sendable (String) -> Void

    /// Lifetime of a shared thumbnail, in milliseconds: 30 days.
    static let lifetime = 30 * 86_400_000
    /// Maximum of ``State/arrivedBytes``. Beyond it, wants request their thumbnails from the server.
    static let maximumArrived = 16 << 20

    /// - Parameters:
    ///   - addresses: One or more servers, in any order. All nodes need the same servers.
    ///   - node: Unique name of this node: letters, digits and `-`.
    ///   - agreement: The settings that nodes must have in common to share thumbnails.
    ///   - times: Durations of leases. Leases are renewed at each pulse.
    ///   - report: Called from any thread with messages for the operator.
    package init(
        _ addresses: [RedisAddress], node: String, agreement: String, times: LeaseTimes = LeaseTimes(),
        redis: RedisTimes = RedisTimes(), report: @escaping @Sendable (String) -> Void
    ) throws(RedisClient.Refusal) {
        keys = SharedKeys(agreement: agreement)
        self.node = node
        incarnation = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        lease = "\(Int(clamping: times.lease))"
        self.report = report
        servers = RendezvousHash(addresses.map(\.description))
        state = Mutex(
            State(
                tables: addresses.map { _ in LeaseTable(times: times) }, wants: addresses.map { _ in [:] },
                isOpen: addresses.map { _ in nil }, counted: addresses.map { _ in nil }))
        let client = try RedisClient(
            addresses, scripts: SharedScripts.all, channel: ClaimScripts.channel(of: node), times: redis
        ) { [weak self] event in self?.received(event) }
        connection.withLock { $0 = client }
    }

    package var counts: SharedCounts {
        state.withLock { state in
            var counts = state.counts
            counts.reachable = state.isOpen.count { $0 == true }
            return counts
        }
    }

    /// Claims a thumbnail: returns the stored thumbnail or failure, the lease to make the thumbnail, or how long to wait.
    package func claim(_ claim: Claim) async -> Outcome {
        let base = keys.base(of: claim.storeKey)
        return await self.claim(again: SharedWant(claim, base: base, server: server(of: base), shared: self))
    }

    /// Claims again for a want that waited.
    package func claim(again want: SharedWant) async -> Outcome {
        if let thumbnail = takeArrived(want) { return .thumbnail(thumbnail) }
        let reply: Reply = await withCheckedContinuation { continuation in
            let (number, base, server) = (want.number, want.base, want.server)
            let isCalled = client?.call { [self] in
                want.number = ask(want.claim, number, base, on: server) { continuation.resume(returning: $0) }
            }
            if isCalled != true { continuation.resume(returning: .alone) }
        }
        state.withLock { $0.counts.add(reply) }
        switch reply {
        case .found(let outcome):
            want.end()
            return outcome
        case .lead: return .lead(want)
        case .wait(let time): return .wait(want, milliseconds: time)
        case .hostPaused(let time): return .hostPaused(milliseconds: time)
        case .alone: return .alone
        }
    }

    /// Saves a thumbnail or a failure that was made without a lease. Returns immediately.
    package func publish(_ result: Result, of storeKey: String) {
        let base = keys.base(of: storeKey)
        save(result, base: base, server: server(of: base), token: "")
    }

    package func shutdown() async {
        leave()
        await client?.shutdown()
    }

    /// Returns the index of the server that has the keys of a picture or a gallery.
    func server(of base: String) -> Int { servers.place(of: base) }

    var client: RedisClient? { connection.withLock { $0 } }
}

extension Thumbnail {
    /// Total bytes of both encoded pictures.
    var byteCount: Int { bytes.count + small.count }
}

/// This node's want of a thumbnail that another node may be making, or of the lease to make the thumbnail.
///
/// A want that has not ended is released with its last reference, so that no exit of a task can forget to release it.
package final class SharedWant: Sendable {
    let server: Int
    let claim: SharedThumbnails.Claim
    let base: String
    private let id = Atomic<LeaseTable.Want>(0)
    private let shared: SharedThumbnails

    init(_ claim: SharedThumbnails.Claim, base: String, server: Int, shared: SharedThumbnails) {
        self.claim = claim
        self.base = base
        self.server = server
        self.shared = shared
    }

    /// Number of the want in the lease table, or 0 before the first claim.
    var number: LeaseTable.Want {
        get { id.load(ordering: .acquiring) }
        set { id.store(newValue, ordering: .releasing) }
    }

    /// Saves the result and notifies the waiting nodes. Returns immediately.
    package func finish(_ result: SharedThumbnails.Result) {
        shared.finish(end(), base: base, server: server, result)
    }

    /// Releases the lease without a result, if the result does not concern other nodes. Does nothing if the want has ended.
    package func release() { shared.release(end(), server: server) }

    /// Ends the want. Returns its number, or 0 if it was never claimed or has ended.
    @discardableResult
    func end() -> LeaseTable.Want { id.exchange(0, ordering: .acquiringAndReleasing) }

    deinit { shared.release(id.load(ordering: .acquiring), server: server) }
}

/// Counts of shared thumbnails since the start.
package struct SharedCounts: Sendable, Equatable {
    /// Thumbnails that another node had made.
    package var hits = 0
    /// Failures that another node had seen.
    package var failures = 0
    /// Leases that this node got.
    package var led = 0
    /// Claims that found another node at work.
    package var waited = 0
    /// Leases that expired before the work was finished.
    package var lost = 0
    /// Claims that ended without a lease, because a server was unavailable or another node took too long.
    package var alone = 0
    /// Values in a form that no node writes.
    package var foreign = 0
    /// Leases released because another node reported that the host cools down.
    package var hostPauses = 0
    /// Known nodes, including this one. At least 1.
    package var nodes = 1
    /// Servers that respond now.
    package var reachable = 0

    mutating func add(_ reply: SharedThumbnails.Reply) {
        switch reply {
        case .found(.failure): failures += 1
        case .found: hits += 1
        case .hostPaused: hostPauses += 1
        case .lead: led += 1
        case .wait: waited += 1
        case .alone: alone += 1
        }
    }
}
