import Fetch
import Numbers
import Pictures
import Synchronization
import Threads

/// Shares thumbnails among nodes through Redis or Valkey: finished ones, failures, and which node makes which.
///
/// Nothing depends on it. Where a server is away, slow, full or holds something else, the node goes on alone. The decisions are
/// made by a ``LeaseTable`` for each server, nearly all of them on the client's thread; this carries them out.
package final class SharedThumbnails: Sendable {
    /// A request for a thumbnail.
    package struct Claim: Sendable {
        /// As the store knows it.
        package var storeKey: String
        /// Only a thumbnail whose origin was heard after this will do, in seconds since 1970; -1 for any.
        package var newerThan: Double
        /// Whether a failure that is known is to be forgotten.
        package var forgives: Bool
        /// Name and port of the host that it is fetched from; `nil` for none.
        package var host: String?
        /// Called when what is waited for has come, from any thread; must not wait.
        package var wake: @Sendable () -> Void
        /// Called when the work is to go on though nobody here wants it, and with `false` when it need not any more.
        package var hold: @Sendable (Bool) -> Void

        package init(
            storeKey: String, newerThan: Double = -1, forgives: Bool = false, host: String? = nil,
            wake: @escaping @Sendable () -> Void, hold: @escaping @Sendable (Bool) -> Void
        ) {
            (self.storeKey, self.newerThan, self.forgives) = (storeKey, newerThan, forgives)
            (self.host, self.wake, self.hold) = (host, wake, hold)
        }
    }

    package enum Answer: Sendable {
        case thumbnail(Thumbnail)
        /// Believed for so many milliseconds more.
        case failure(SharedFailure, milliseconds: Double)
        /// Make it, then `finish`; letting go of the want gives the right back.
        case lead(SharedWant)
        /// Another node makes it: claim again after so long, or when woken.
        case wait(SharedWant, milliseconds: Double)
        /// Nobody makes it: its host rests, for so many milliseconds more.
        case rests(milliseconds: Double)
        /// Make it, as if there were no other node.
        case alone
    }

    package enum Result: Sendable {
        case thumbnail(Thumbnail)
        /// To be believed for so many seconds.
        case failure(SharedFailure, seconds: Double)
    }

    package struct State: Sendable {
        /// By server.
        var tables: [LeaseTable]
        var wants: [[LeaseTable.Want: Open]]
        /// Of all thumbnails that came unasked.
        package var arrivedBytes = 0
        /// By server, whether it answers; `nil` while that is not known.
        var isOpen: [Bool?]
        var counts = SharedCounts()
        /// By server, how many nodes it counted since they were asked for last.
        var counted: [Int?]
        var nodes = NodeCount()
        /// Told of how many nodes there are.
        var onNodes: (@Sendable (Int) -> Void)?
        /// Told of a server's revision of the galleries.
        var onRevision: (@Sendable (_ server: Int, _ revision: Int64) -> Void)?

        mutating func forget(_ want: LeaseTable.Want, on server: Int) {
            arrivedBytes -= wants[server].removeValue(forKey: want)?.arrived?.byteCount ?? 0
        }
    }

    /// A want that has not ended.
    struct Open: Sendable {
        var claim: Claim
        var base: String
        /// The caller that waits for the answer to its claim.
        var asker: Asker?
        /// The thumbnail sent by the node that made it.
        var arrived: Thumbnail?
    }

    /// The result of a claim, as the client's thread knows it.
    enum Reply: Sendable {
        case found(Answer)
        case lead
        case wait(milliseconds: Double)
        case rests(milliseconds: Double)
        case alone
    }

    typealias Asker = @Sendable (Reply) -> Void

    package let keys: SharedKeys
    /// Times of the lease tables are counted from here.
    let began = ContinuousClock.now
    let node: String
    /// Distinguishes this run of the node from earlier ones.
    let incarnation: String
    /// Milliseconds that a lease lasts, as scripts take them.
    let lease: String
    package let state: Mutex<State>
    private let servers: RendezvousHash
    /// Set once, before anything is asked of it.
    private let connection = Mutex<RedisClient?>(nil)
    let tell: @Sendable (String) -> Void

    /// Milliseconds that a thumbnail is kept: 30 days.
    static let lifetime = 30 * 86_400_000
    /// Bytes of thumbnails that came unasked, at most: those beyond are asked for.
    static let mostArrived = 16 << 20

    /// - Parameters:
    ///   - addresses: the servers, in any order, the same for all nodes; 1 or more.
    ///   - node: letters, digits and `-`; of all nodes only this one has the name.
    ///   - agreement: what must be the same for nodes to share.
    ///   - times: how long leases last; they are renewed at each pulse.
    ///   - redis: how long it waits for the servers.
    ///   - tell: hears what an operator should know, from any thread.
    package init(
        _ addresses: [RedisAddress], node: String, agreement: String, times: LeaseTimes = LeaseTimes(),
        redis: RedisTimes = RedisTimes(), tell: @escaping @Sendable (String) -> Void
    ) throws(RedisClient.Refusal) {
        keys = SharedKeys(agreement: agreement)
        self.node = node
        incarnation = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        lease = "\(Int(clamping: times.lease))"
        self.tell = tell
        servers = RendezvousHash(addresses.map(\.description))
        state = Mutex(
            State(
                tables: addresses.map { _ in LeaseTable(times: times) }, wants: addresses.map { _ in [:] },
                isOpen: addresses.map { _ in nil }, counted: addresses.map { _ in nil }))
        let client = try RedisClient(
            addresses, scripts: SharedScripts.all, channel: ClaimScripts.channel(of: node), times: redis
        ) { [weak self] event in self?.heard(event) }
        connection.withLock { $0 = client }
    }

    package var counts: SharedCounts {
        state.withLock { state in
            var counts = state.counts
            counts.reachable = state.isOpen.count { $0 == true }
            return counts
        }
    }

    /// The right to make a thumbnail, or what there is instead.
    package func claim(_ claim: Claim) async -> Answer {
        let base = keys.base(of: claim.storeKey)
        return await self.claim(again: SharedWant(claim, base: base, server: server(of: base), shared: self))
    }

    /// Asks anew for what was waited for.
    package func claim(again want: SharedWant) async -> Answer {
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
        case .found(let answer):
            want.end()
            return answer
        case .lead: return .lead(want)
        case .wait(let time): return .wait(want, milliseconds: time)
        case .rests(let time): return .rests(milliseconds: time)
        case .alone: return .alone
        }
    }

    /// Saves a thumbnail or a failure that was made alone. Returns at once.
    package func publish(_ result: Result, of storeKey: String) {
        let base = keys.base(of: storeKey)
        save(result, base: base, server: server(of: base), token: "")
    }

    package func shutdown() async {
        leave()
        await client?.shutdown()
    }

    /// The server that holds the keys of a picture or a gallery.
    func server(of base: String) -> Int { servers.place(of: base) }

    var client: RedisClient? { connection.withLock { $0 } }
}

extension Thumbnail {
    /// Of its pictures.
    var byteCount: Int { bytes.count + small.count }
}

/// This node's want of a thumbnail that another node may be making, or of the right to make the thumbnail.
///
/// The last reference releases the want unless it has ended, so that no exit of a task can forget to.
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

    /// Number of the want in the lease table; 0 before the first claim.
    var number: LeaseTable.Want {
        get { id.load(ordering: .acquiring) }
        set { id.store(newValue, ordering: .releasing) }
    }

    /// Saves the result and notifies the nodes that wait. Returns at once.
    package func finish(_ result: SharedThumbnails.Result) {
        shared.finish(end(), base: base, server: server, result)
    }

    /// Gives the right back if the result means nothing to other nodes. Does nothing if the want has ended.
    package func release() { shared.letGo(end(), server: server) }

    /// Ends the want. Returns its number, or 0 if it was never claimed or has ended.
    @discardableResult
    func end() -> LeaseTable.Want { id.exchange(0, ordering: .acquiringAndReleasing) }

    deinit { shared.letGo(id.load(ordering: .acquiring), server: server) }
}

/// Counts of shared thumbnails since the start.
package struct SharedCounts: Sendable, Equatable {
    /// Thumbnails that another node had made.
    package var hits = 0
    /// Failures that another node had seen.
    package var failures = 0
    /// Leases that this node got, to make the thumbnail for all nodes.
    package var led = 0
    /// Claims that found another node at work.
    package var waited = 0
    /// Leases that expired before the work was finished.
    package var lost = 0
    /// Thumbnails that this node made alone, because a server was away or another node took too long.
    package var alone = 0
    /// Values in a form that no node writes.
    package var foreign = 0
    /// Leases given back because another node had found that the host rests.
    package var rested = 0
    /// Known nodes, including this one; 1 at least.
    package var nodes = 1
    /// Servers that respond now.
    package var reachable = 0

    mutating func add(_ reply: SharedThumbnails.Reply) {
        switch reply {
        case .found(.failure): failures += 1
        case .found: hits += 1
        case .rests: rested += 1
        case .lead: led += 1
        case .wait: waited += 1
        case .alone: alone += 1
        }
    }
}
