import Glibc
import MicroHTTP
import TestSupport

/// Runs `body` on a thread of its own, against a server of its own, on a port of its own, and stops it. The clients block, and must
/// not take the threads that the server's tasks run on.
func serving(
    _ router: Router, _ change: (inout ServerConfiguration) -> Void = { _ in },
    _ body: @escaping @Sendable (Server, UInt16) throws -> Void
) async throws {
    var configuration = ServerConfiguration()
    change(&configuration)
    let server = Server(router, configuration: configuration)
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
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) throws -> Value {
    let box = Promise<Value>()
    Task { box.fulfil(await body()) }
    return try box.wait()
}

/// Looks again and again, a minute at most, whether the server's figures have become what they must: nobody tells of them.
func eventually(_ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        // A millisecond in which the server may have the processor.
        poll(nil, 0, 1)
    }
    return true
}

/// A client whose first request was answered, which therefore has the idle time from now on. One that this machine was too
/// slow to ask in time for, and that the server closed, is replaced by another.
func clientThatAsked(_ port: UInt16, _ path: String) throws -> TestClient {
    for _ in 0..<100 {
        let client = try TestClient(port)
        if let answer = try? client.get(path), answer.status == 200 { return client }
    }
    throw TestClient.Failure(what: "\(path) was not answered on any of a hundred connections")
}
