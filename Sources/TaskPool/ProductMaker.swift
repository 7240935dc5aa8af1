/// Makes what a pool's keys name.
public protocol ProductMaker: Sendable {
    associatedtype Key: Hashable & Sendable
    /// The product, and a preview that may be shown until it is made.
    associatedtype Product: Sendable

    /// Looks for products that exist already, before anything is begun for them.
    ///
    /// - Parameters:
    ///   - tickets: of one batch.
    ///   - tell: to be called with what was found out of each, of several at once or one by one. What it was not told of when
    ///     this returns counts as cancelled.
    func lookUp(_ tickets: [Ticket<Key>], tell: @escaping @Sendable ([LookedUp<Key, Product>]) -> Void) async

    /// Makes one product, from its first slot to its end. It is cancelled, as a Swift task is, when nobody wants the product any more;
    /// it should then return soon, since its slot is taken until it does.
    ///
    /// - Parameter slot: of the kind that ``lookUp(_:tell:)`` named. Whatever needs another kind takes that first.
    func make(_ key: Key, in slot: inout PoolSlot<Self>) async throws -> Product
}

/// The result of looking up one task.
public struct LookedUp<Key: Hashable & Sendable, Product: Sendable>: Sendable {
    public enum Outcome: Sendable {
        /// It exists.
        case found(Product)
        /// It is known that it cannot be made.
        case failed(any Error)
        /// It is to be made, and begins in a slot of this kind.
        case absent(first: SlotKind)
    }

    public var ticket: Ticket<Key>
    public var outcome: Outcome

    public init(_ ticket: Ticket<Key>, _ outcome: Outcome) {
        self.ticket = ticket
        self.outcome = outcome
    }
}

/// A task's place in the pool while its product is made: one slot at a time.
///
/// However the making ends, by a product, an error or because it is cancelled, the pool takes the slot back.
public struct PoolSlot<Maker: ProductMaker>: Sendable {
    public private(set) var ticket: Ticket<Maker.Key>
    private let pool: TaskPool<Maker>
    /// How a fetch went that the pool has not heard of.
    private var fetch: FetchReport?
    /// Whether the pool has ended the task.
    private var isOver = false

    init(_ ticket: Ticket<Maker.Key>, of pool: TaskPool<Maker>) {
        self.ticket = ticket
        self.pool = pool
    }

    public var kind: SlotKind { ticket.kind }

    /// Notes how a fetch went. The pool hears of it with whatever the task does next, and learns how to treat the host.
    public mutating func fetched(_ report: FetchReport) { fetch = report }

    /// Gives the slot back, waits for one of a later kind, and holds that then.
    ///
    /// - Parameters:
    ///   - bytes: of memory that the task holds until it ends, where it goes on to be rendered.
    ///   - preview: shown to the sessions that want the product now.
    /// - Throws: `CancellationError` where nobody wants the product any more.
    public mutating func take(_ kind: SlotKind, holding bytes: Int = 0, showing preview: Maker.Product? = nil)
        async throws(CancellationError)
    {
        guard kind > self.kind else { return }
        try await wait { [fetch, ticket] pool in
            await pool.leave(
                ticket, .advance(to: kind, bytes: bytes), fetch, showing: preview, orElse: CancellationError())
        }
    }

    /// A fetch failed, as noted by ``fetched(_:)``. Gives the slot back and, where the pool thinks another try is worth it, waits
    /// for its time and a new slot.
    ///
    /// - Throws: `failure` where there is to be no other try; `CancellationError` where nobody wants the product any more.
    public mutating func tryAgain(after failure: any Error) async throws {
        do throws(CancellationError) {
            try await wait { [fetch, ticket] pool in
                await pool.leave(ticket, .failed, fetch, showing: nil, orElse: failure)
            }
        } catch {
            throw Task.isCancelled ? error : failure
        }
    }

    /// Gives the slot back until `event` returns, which somebody else brings about, and waits for one of the same kind then.
    ///
    /// - Throws: `CancellationError` where nobody wants the product any more.
    public mutating func giveBack(until event: () async -> Void) async throws(CancellationError) {
        pool.goAway(ticket, fetch)
        fetch = nil
        await event()
        try await wait { [ticket] pool in await pool.comeBack(ticket) }
    }

    private mutating func wait(for grant: (TaskPool<Maker>) async -> Ticket<Maker.Key>?) async throws(CancellationError)
    {
        fetch = nil
        guard let granted = await grant(pool) else {
            isOver = true
            throw CancellationError()
        }
        ticket = granted
    }

    /// Ends the task.
    func end(_ result: Result<Maker.Product, any Error>) {
        if !isOver { pool.finish(ticket, fetch, result) }
    }
}
