import Glibc
import MicroHTTP
import TestSupport

/// Runs `body` on its own thread against a new server, then stops the server. The clients block, so they must not occupy the
/// threads that run the server's tasks.
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

/// Runs `body` on a thread that may block.
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

/// Blocks this thread until `body` returns.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) throws -> Value {
    let box = Promise<Value>()
    Task { box.fulfil(await body()) }
    return try box.wait()
}

/// Polls a condition for at most a minute. The server's metrics send no notifications.
func eventually(_ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        // Yields the processor to the server for a millisecond.
        poll(nil, 0, 1)
    }
    return true
}

/// Returns a client after its first response, so its idle timeout starts now. Tries again if the machine was too slow and the
/// server closed the connection first.
func clientThatAsked(_ port: UInt16, _ path: String) throws -> TestClient {
    for _ in 0..<100 {
        let client = try TestClient(port)
        if let answer = try? client.get(path), answer.status == 200 { return client }
    }
    throw TestClient.Failure(what: "\(path) was not answered on any of a hundred connections")
}
