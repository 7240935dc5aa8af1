/// Makes the products that a pool's keys name.
public protocol ProductMaker: Sendable {
    associatedtype Key: Hashable & Sendable
    /// The product. A preview that is shown until the product is ready has the same type.
    associatedtype Product: Sendable

    /// Looks for products that already exist, before the pool starts any work for them.
    ///
    /// - Parameter onResult: Call this with the results, one at a time or several together. A ticket without a result when `lookUp`
    ///   returns counts as cancelled.
    func lookUp(_ tickets: [Ticket<Key>], onResult: @escaping @Sendable ([LookedUp<Key, Product>]) -> Void) async

    /// Makes one product, from its first slot to its end. The pool cancels its Swift task when nobody wants the product any more.
    /// Then return soon, because the slot stays taken until this method returns.
    ///
    /// - Parameter slot: A slot of the kind that ``lookUp(_:onResult:)`` named. Work that needs another kind takes that slot first.
    func make(_ key: Key, in slot: inout PoolSlot<Self>) async throws -> Product
}

/// The result of looking up one task.
public struct LookedUp<Key: Hashable & Sendable, Product: Sendable>: Sendable {
    public enum Outcome: Sendable {
        case found(Product)
        /// The product is known to be impossible to make.
        case failed(any Error)
        /// The product has to be made, starting in a slot of this kind.
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
/// The pool takes the slot back at the end, whether the maker returns a product, throws an error or is cancelled.
public struct PoolSlot<Maker: ProductMaker>: Sendable {
    public private(set) var ticket: Ticket<Maker.Key>
    private let pool: TaskPool<Maker>
    /// The latest fetch, if the pool has not received its report yet.
    private var fetch: FetchReport?
    /// Whether the pool has ended the task.
    private var isOver = false

    init(_ ticket: Ticket<Maker.Key>, of pool: TaskPool<Maker>) {
        self.ticket = ticket
        self.pool = pool
    }

    public var kind: SlotKind { ticket.kind }

    /// The limit that the start of a fetch used up. See ``Ticket/limit``.
    public var limit: SlotLimit? { ticket.limit }

    /// Records how a fetch went. The pool gets the report with the task's next step, and learns from it how to treat the host.
    public mutating func fetched(_ report: FetchReport) { fetch = report }

    /// Gives the slot back, waits for a slot of a later kind, and holds it.
    ///
    /// - Parameters:
    ///   - bytes: Bytes of memory that the task holds until it ends, if `kind` is `.render` or `.largeRender`.
    ///   - preview: Preview for the sessions that want the product now.
    /// - Throws: `CancellationError` if nobody wants the product any more.
    public mutating func take(_ kind: SlotKind, holding bytes: Int = 0, showing preview: Maker.Product? = nil)
        async throws(CancellationError)
    {
        guard kind > self.kind else { return }
        try await wait { [fetch, ticket] pool in
            await pool.leave(
                ticket, .advance(to: kind, bytes: bytes), fetch, showing: preview, orElse: CancellationError())
        }
    }

    /// Reports a failed fetch, recorded by ``fetched(_:)``. Gives the slot back and, if the pool decides to retry, waits
    /// for the delay and a new slot.
    ///
    /// - Throws: `failure` if the pool does not retry, `CancellationError` if nobody wants the product any more.
    public mutating func tryAgain(after failure: any Error) async throws {
        do throws(CancellationError) {
            try await wait { [fetch, ticket] pool in
                await pool.leave(ticket, .failed, fetch, showing: nil, orElse: failure)
            }
        } catch {
            throw Task.isCancelled ? error : failure
        }
    }

    /// Gives the slot back until `event` returns, then waits for a slot of the same kind. An outside event makes `event` return.
    ///
    /// - Throws: `CancellationError` if nobody wants the product any more.
    public mutating func giveBack(until event: () async -> Void) async throws(CancellationError) {
        pool.releaseSlot(ticket, fetch)
        fetch = nil
        await event()
        try await wait { [ticket] pool in await pool.reacquireSlot(ticket) }
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

    /// Reports the result to the pool, unless the pool has already ended the task.
    func end(_ result: Result<Maker.Product, any Error>) {
        if !isOver { pool.finish(ticket, fetch, result) }
    }
}
