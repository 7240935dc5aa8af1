import Glibc
import MicroHTTP
import Synchronization

/// Runs `body` on a thread of its own, against a server of its own, on a port of its own, and stops it. The clients block, and must
/// not take the threads that the server's tasks run on.
func serving(
    _ router: Router, _ change: (inout ServerConfiguration) -> Void = { _ in },
    _ body: @escaping @Sendable (Server, UInt16) throws -> Void
) async throws {
    var configuration = ServerConfiguration()
    change(&configuration)
    let server = Server(configuration, router)
    let port = try server.start()
    do {
        try await onThread { try body(server, port) }
    } catch {
        await server.shutdown(grace: .zero)
        throw error
    }
    await server.shutdown(grace: .seconds(5))
}

/// Runs `body` where it may block.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let work = Unmanaged.passRetained(Work { continuation.resume(with: Result(catching: body)) })
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            {
                Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        pthread_detach(thread)
    }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Waits on this thread for what `body` finds.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let box = Promise<Value>()
    Task { box.fulfil(await body()) }
    return box.wait()
}

/// Waits, a minute at most, for something that a thread of the server is about to do and nobody tells.
func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<60_000 {
        if condition() { return true }
        usleep(1000)
    }
    return condition()
}

/// A value that one thread sets and others wait for.
final class Promise<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func fulfil(_ new: Value) { value.withLock { $0 = $0 ?? new } }

    /// Blocks the thread, a minute at most.
    func wait() -> Value {
        _ = eventually { value.withLock { $0 != nil } }
        return value.withLock { $0 }!
    }

    var isFulfilled: Bool { value.withLock { $0 != nil } }
}
