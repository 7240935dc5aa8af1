import CMicroHTTPD
import Synchronization

/// The connections that wait for something slow. Whoever takes one out resumes it, so that it happens once; and
/// once closed nothing is suspended any more, since libmicrohttpd aborts the process when it is stopped with a suspended connection.
final class Suspensions: Sendable {
    private struct Waiting {
        let exchange: Exchange
        let connection: Connection
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

    var count: Int { state.withLock { $0.waiting.count } }

    /// Suspends, on the parser's thread within its callback; nil when that is over.
    func suspend(_ exchange: Exchange, _ connection: OpaquePointer) -> UInt64? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            guard let daemon = micro_suspend(connection) else { return nil }
            state.next += 1
            let resting = Connection(pointer: connection, daemon: daemon)
            state.waiting[state.next] = Waiting(exchange: exchange, connection: resting)
            return state.next
        }
    }

    /// What to cancel when the connection is answered without it.
    func attach(_ task: Task<Void, Never>, to ticket: UInt64) {
        state.withLock { $0.waiting[ticket]?.task = task }
    }

    /// Does nothing when the connection was answered already.
    func resume(_ ticket: UInt64, _ answer: sending Exchange.Answer) {
        state.withLock { state in
            guard let waiting = state.waiting.removeValue(forKey: ticket) else { return }
            waiting.exchange.answer = answer
            waiting.connection.resume()
        }
    }

    /// Answers all that wait, and cancels what they waited for.
    func close(_ response: Response) {
        let tasks = state.withLock { state in
            state.isClosed = true
            var tasks: [Task<Void, Never>] = []
            for waiting in state.waiting.values {
                waiting.exchange.answer = .response(response)
                waiting.connection.resume()
                if let task = waiting.task { tasks.append(task) }
            }
            state.waiting = [:]
            return tasks
        }
        for task in tasks { task.cancel() }
    }
}
