/// The simplest maker: two closures and no look-up.
public struct FetchAndRender<Key: Hashable & Sendable, Source: Sendable, Product: Sendable>: ProductMaker {
    private let fetch: @Sendable (Key) async throws -> Source
    private let render: @Sendable (Source) async throws -> Product

    init(
        fetch: @escaping @Sendable (Key) async throws -> Source,
        render: @escaping @Sendable (Source) async throws -> Product
    ) {
        self.fetch = fetch
        self.render = render
    }

    public func lookUp(_ tickets: [Ticket<Key>], onResult: @Sendable ([LookedUp<Key, Product>]) -> Void) async {
        onResult(tickets.map { LookedUp($0, .absent(first: .fetch)) })
    }

    public func make(_ key: Key, in slot: inout PoolSlot<Self>) async throws -> Product {
        let source = try await fetch(key)
        try await slot.take(.render)
        return try await render(source)
    }
}

extension TaskPool {
    /// A pool whose tasks fetch something and render it, each step within its own limit.
    ///
    /// - Parameters:
    ///   - fetch: Fetches the source. The pool cancels its Swift task, also during `render`, when nobody wants the key any more.
    ///   - onFinished: Called once for each task that ended ready or failed.
    public convenience init<Name, Source, Product>(
        limits: TaskPoolLimits = TaskPoolLimits(),
        fetch: @escaping @Sendable (Name) async throws -> Source,
        render: @escaping @Sendable (Source) async throws -> Product,
        onFinished: @escaping @Sendable (_ key: Name, _ result: Result<Product, any Error>) -> Void
    ) where Maker == FetchAndRender<Name, Source, Product> {
        self.init(limits: limits, maker: FetchAndRender(fetch: fetch, render: render)) { key, _, result in
            onFinished(key, result)
        }
    }

    /// Replaces all wants of a session: keys on screen, then keys that soon will be, each list most urgent first.
    public func want(visible: [Key], ahead: [Key] = [], session: SessionID) {
        want(
            visible.map { PoolWant(key: $0, visible: true) } + ahead.map { PoolWant(key: $0, visible: false) },
            session: session)
    }
}
