import Dispatch
import TestSupport

/// A connection to the origin. It blocks on a dispatch queue to keep the threads of Swift concurrency free. Not safe for
/// concurrent use.
final class OriginClient: @unchecked Sendable {
    private let client: TestClient

    init(port: UInt16) throws { client = try TestClient(port, seconds: 60) }

    func send(_ target: String, headers: String = "") {
        client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
    }

    /// Returns the next response. Throws if the connection closes first.
    func receive() async throws -> TestClient.Answer { try await waiting { try $0.answer() } }

    /// Receives `count` bytes.
    func receive(bytes count: Int) async throws { _ = try await waiting { try $0.read(count: count) } }

    func get(_ target: String, headers: String = "") async throws -> TestClient.Answer {
        send(target, headers: headers)
        return try await receive()
    }

    private func waiting<Value: Sendable>(
        _ body: @escaping @Sendable (TestClient) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { [self] in continuation.resume(with: Result { try body(client) }) }
        }
    }
}
