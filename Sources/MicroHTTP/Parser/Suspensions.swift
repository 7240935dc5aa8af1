import CMicroHTTPD
import Synchronization
import Threads

/// The connections that wait for something slow. The thread that takes one out resumes it, so that it happens once; and
/// once closed nothing is suspended any more, since libmicrohttpd aborts the process when it is stopped with a suspended connection.
final class Suspensions: Sendable {
    private struct Waiting {
        let exchange: Exchange
        let connection: Connection
        /// The socket, where the client is watched for leaving.
        let watched: Int32?
        let since: ContinuousClock.Instant
        var task: Task<Void, Never>?
    }
    /// `micro_resume` may be called from any thread.
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

    /// Suspends, on the parser's thread within its callback; nil when that is over.
    ///
    /// - Parameter watchesClient: whether a client that leaves ends the wait.
    func suspend(_ exchange: Exchange, _ connection: OpaquePointer, watchesClient: Bool) -> UInt64? {
        let fd = watchesClient ? exchange.progress.withLock { $0.fd } : -1
        return state.withLock { state in
            guard !state.isClosed else { return nil }
            guard let daemon = micro_suspend(connection) else { return nil }
            state.next += 1
            let resting = Connection(pointer: connection, daemon: daemon)
            let watched: Int32? = fd >= 0 && reactor.watchEnd(fd, of: state.next) ? fd : nil
            state.waiting[state.next] = Waiting(
                exchange: exchange, connection: resting, watched: watched, since: ContinuousClock.now)
            return state.next
        }
    }

    /// Sets the task to cancel when the connection is answered without it.
    func attach(_ task: Task<Void, Never>, to ticket: UInt64) {
        let isOver = state.withLock { state in
            state.waiting[ticket]?.task = task
            return state.waiting[ticket] == nil
        }
        if isOver { task.cancel() }
    }

    /// Does nothing when the connection was answered already.
    func resume(_ ticket: UInt64, _ answer: sending Exchange.Answer) {
        state.withLock { state in
            guard let waiting = state.waiting.removeValue(forKey: ticket) else { return }
            end(waiting, answer)
        }
    }

    /// The client closed its side: cancel the work for its answer.
    func left(_ ticket: UInt64) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard let waiting = state.waiting.removeValue(forKey: ticket) else { return nil }
            end(waiting, .left)
            return waiting.task
        }
        task?.cancel()
    }

    /// Answers those that have waited since then or longer, and cancels what they waited for.
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

    private func end(_ waiting: Waiting, _ answer: sending Exchange.Answer) {
        if let fd = waiting.watched { reactor.unwatchEnd(fd) }
        waiting.exchange.answer = answer
        waiting.connection.resume()
    }

    /// Answers all that wait, and cancels what they waited for.
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
