import CMicroHTTPD
import Synchronization
import Threads

/// Connections that wait for an asynchronous task. Only the thread that removes an entry resumes its connection, so that each is resumed
/// once. After ``close(_:)`` no connection can be suspended, because libmicrohttpd aborts the process if it stops with a suspended
/// connection.
final class Suspensions: Sendable {
    private struct Waiting {
        let exchange: Exchange
        let connection: Connection
        /// Socket watched for the client's leaving, or `nil`.
        let watched: Int32?
        let since: ContinuousClock.Instant
        var task: Task<Void, Never>?
    }
    /// `@unchecked`, because `micro_resume` may be called from any thread.
    private struct Connection: @unchecked Sendable {
        let pointer: OpaquePointer
        let daemon: OpaquePointer

        func resume() { micro_resume(daemon, pointer) }
    }
    private struct State {
        var waiting: [UInt64: Waiting] = [:]
        var next: UInt64 = 0
        var isClosed = false
    }
    private let state = Mutex(State())
    private let reactor: Reactor

    init(_ reactor: Reactor) { self.reactor = reactor }

    var count: Int { state.withLock { $0.waiting.count } }

    /// Suspends a connection. Must be called on the parser's thread within its callback. Returns `nil` after ``close(_:)``.
    ///
    /// - Parameter watchesClient: whether the wait ends if the client leaves.
    func suspend(_ exchange: Exchange, _ connection: OpaquePointer, watchesClient: Bool) -> UInt64? {
        let fd = watchesClient ? exchange.progress.withLock { $0.fd } : -1
        return state.withLock { state in
            guard !state.isClosed else { return nil }
            guard let daemon = micro_suspend(connection) else { return nil }
            state.next += 1
            let suspended = Connection(pointer: connection, daemon: daemon)
            let watched: Int32? = fd >= 0 && reactor.watchEnd(fd, of: state.next) ? fd : nil
            state.waiting[state.next] = Waiting(
                exchange: exchange, connection: suspended, watched: watched, since: ContinuousClock.now)
            return state.next
        }
    }

    /// Sets the task to cancel if the connection ends its wait before the task does.
    func attach(_ task: Task<Void, Never>, to ticket: UInt64) {
        let isOver = state.withLock { state in
            state.waiting[ticket]?.task = task
            return state.waiting[ticket] == nil
        }
        if isOver { task.cancel() }
    }

    /// Resumes the connection with a response. Does nothing if the connection was already resumed.
    func resume(_ ticket: UInt64, _ outcome: sending Exchange.Outcome) {
        state.withLock { state in
            guard let waiting = state.waiting.removeValue(forKey: ticket) else { return }
            end(waiting, outcome)
        }
    }

    /// Ends the wait of a connection whose client closed its side, and cancels the task.
    func left(_ ticket: UInt64) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard let waiting = state.waiting.removeValue(forKey: ticket) else { return nil }
            end(waiting, .left)
            return waiting.task
        }
        task?.cancel()
    }

    /// Sends a response to all requests that have waited since `since` or longer, and cancels their tasks.
    func expire(since: ContinuousClock.Instant, _ response: (Request?) -> Response) {
        let tasks = state.withLock { state in
            let late = state.waiting.filter { $0.value.since <= since }
            for (ticket, waiting) in late {
                state.waiting[ticket] = nil
                end(waiting, .response(response(waiting.exchange.request)))
            }
            return late.values.compactMap(\.task)
        }
        for task in tasks { task.cancel() }
    }

    private func end(_ waiting: Waiting, _ outcome: sending Exchange.Outcome) {
        if let fd = waiting.watched { reactor.unwatchEnd(fd) }
        waiting.exchange.outcome = outcome
        waiting.connection.resume()
    }

    /// Sends the response to all waiting requests, cancels their tasks, and allows no further suspensions.
    func close(_ response: Response) {
        let tasks = state.withLock { state in
            state.isClosed = true
            var tasks: [Task<Void, Never>] = []
            for waiting in state.waiting.values {
                end(waiting, .response(response))
                if let task = waiting.task { tasks.append(task) }
            }
            state.waiting = [:]
            return tasks
        }
        for task in tasks { task.cancel() }
    }
}
