import Foundation
import JSON

/// `lookahead demo` on a port of its own, with a cache that lives as long as the test.
final class Demo {
    private(set) var port: UInt16
    private var child: Child
    private let cache: URL
    private let arguments: [String]

    init(items: Int, latency: Int = 20, bandwidth: Int = 200) async throws {
        cache = FileManager.default.temporaryDirectory.appendingPathComponent("lookahead-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        arguments = [
            "demo", "--items", "\(items)", "--latency", "\(latency)", "--bandwidth", "\(bandwidth)",
            "--cache-directory", cache.path,
        ]
        child = try Child(Self.executable, arguments + ["--port", "0"])
        port = try await child.port(after: "Listening on")
    }

    /// The product, which the package manager puts beside the tests.
    private static var executable: String {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("lookahead").path
    }

    var address: String { "http://127.0.0.1:\(port)/" }

    func stop() {
        child.stop()
        try? FileManager.default.removeItem(at: cache)
    }

    func kill() { child.kill() }

    /// Starts it again where it was, as a supervisor would after a crash.
    func restart() async throws {
        child = try Child(Self.executable, arguments + ["--port", "\(port)"])
        port = try await child.port(after: "Listening on")
    }

    @discardableResult
    func call(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let answer = try await HTTPExchange.send(method, port: port, path: "/api/v1/" + path, body: body)
        return answer.body.isEmpty ? .null : try JSON.parse(answer.body)
    }

    /// What the origin of the demo has counted so far: requests, completed, aborted, failed, bytes.
    func originCount(_ name: String) async throws -> Int {
        try await call("GET", "demo/origin")["counts"]?[name]?.integer ?? -1
    }

    /// The last requests that the origin has answered or given up, as far as its log shows them.
    func originLog() async throws -> [(number: Int, item: Int, outcome: String)] {
        (try await call("GET", "demo/origin")["recent"]?.array ?? []).compactMap { entry in
            guard let number = entry["number"]?.integer, let item = entry["item"]?.integer,
                let outcome = entry["outcome"]?.string
            else { return nil }
            return (number, item, outcome)
        }
    }
}
