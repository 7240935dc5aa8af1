import Glibc
import Synchronization

package enum SystemThread {
    /// The system refuses to start a thread.
    package struct Refusal: Error {
        /// Error number, as in `errno`.
        package let code: Int32

        package init(code: Int32) { self.code = code }
    }

    /// Starts a thread that nobody joins.
    package typealias Starter =
        @Sendable (_ name: String, _ run: @escaping @Sendable () -> Void) throws(Refusal) -> Void

    private static let firstRefusal = Mutex<(@Sendable (Refusal) -> Void)?>(nil)

    /// Sets a closure that is called once, the next time the system refuses to start a thread.
    package static func onFirstRefusal(_ body: @escaping @Sendable (Refusal) -> Void) {
        firstRefusal.withLock { $0 = body }
    }

    private final class Body: Sendable {
        private let name: String
        private let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            SystemThread.call(name)
            body()
        }
    }

    /// Starts a thread, which must be joined or detached.
    ///
    /// - Parameter name: the name shown by `ps -L`, profilers and debuggers. The system stores 15 bytes.
    package static func start(_ name: String, _ run: @escaping @Sendable () -> Void) throws(Refusal) -> pthread_t {
        let box = Unmanaged.passRetained(Body(String(decoding: name.utf8.prefix(15), as: UTF8.self), run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            firstRefusal.withLock { $0.take() }?(Refusal(code: code))
            throw Refusal(code: code)
        }
        return thread
    }

    /// Starts a thread that nobody joins, for work that blocks and would hold up other work of a pool.
    package static func detach(_ name: String, _ run: @escaping @Sendable () -> Void) throws(Refusal) {
        pthread_detach(try start(name, run))
    }

    /// Names the calling thread. Uses /proc, because the C function is not visible to Swift.
    private static func call(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, name, name.utf8.count)
        close(file)
    }
}

/// Niceness of threads: how far they yield the processor to others, from 0 (not at all) to 19.
///
/// Threads that fetch, look up and push pictures yield to threads that respond to requests. Otherwise, if the processors are
/// busy, a scroll event would wait until all pictures are done.
package enum Niceness {
    /// Niceness of Swift's own threads once they work for the pool, and of threads that read for the pool: a third of the usual
    /// weight.
    package static let pool: Int32 = 5

    private static let thread = __priority_which_t(PRIO_PROCESS.rawValue)

    /// Raises the niceness of the calling thread to at least `niceness`. The change is permanent, because lowering the niceness
    /// needs privileges.
    package static func raise(to niceness: Int32) {
        if getpriority(thread, 0) < niceness { setpriority(thread, 0, niceness) }
    }
}
