/// The simplest runner: two closures, and no cache to look into first.
public struct FetchAndRender<Key: Hashable & Sendable, Source: Sendable, Product: Sendable>: TaskRunning {
    /// What a stage hands on.
    public enum Work: Sendable {
        case nothing
        case fetched(Source)
        case rendered(Product)
    }

    private let fetch: @Sendable (Key) async throws -> Source
    private let render: @Sendable (Source) async throws -> Product

    init(
        fetch: @escaping @Sendable (Key) async throws -> Source,
        render: @escaping @Sendable (Source) async throws -> Product
    ) {
        self.fetch = fetch
        self.render = render
    }

    public func run(_ ticket: Ticket<Key>, carrying work: Work?) async -> StageOutcome<Work> {
        do {
            switch (ticket.stage, work) {
            case (.store, _): return .advance(to: .fetch, carrying: .nothing)
            case (.render, .fetched(let source)?): return .ready(.rendered(try await render(source)))
            default: return .advance(to: .render, carrying: .fetched(try await fetch(ticket.key)))
            }
        } catch {
            return Task.isCancelled ? .cancelled : .failed(error)
        }
    }
}

extension TaskPool {
    /// A pool whose tasks fetch something and render it, each step within its own limit.
    ///
    /// - Parameters:
    ///   - limits: What runs at once.
    ///   - fetch: Is cancelled, as a Swift task is, when nobody wants the key any more. So is `render`.
    ///   - render: Makes of it what is wanted.
    ///   - onFinished: Told once for each task that ended ready or failed.
    public convenience init<Name, Source, Product>(
        limits: TaskPoolLimits = TaskPoolLimits(),
        fetch: @escaping @Sendable (Name) async throws -> Source,
        render: @escaping @Sendable (Source) async throws -> Product,
        onFinished: @escaping @Sendable (_ key: Name, _ result: Result<Product, any Error>) -> Void
    ) where Runner == FetchAndRender<Name, Source, Product> {
        self.init(limits: limits, runner: FetchAndRender(fetch: fetch, render: render)) { key, _, result in
            switch result {
            case .success(.rendered(let product)): onFinished(key, .success(product))
            case .success: break
            case .failure(let error): onFinished(key, .failure(error))
            }
        }
    }

    /// Replaces all that a session wants: what is on screen, and then what soon will be, each most urgent first.
    public func want(visible: [Key], ahead: [Key] = [], session: SessionID) {
        want(
            visible.map { PoolWant(key: $0, visible: true) } + ahead.map { PoolWant(key: $0, visible: false) },
            session: session)
    }
}
