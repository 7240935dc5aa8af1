import Foundation
import Glibc

/// A real redis-server, on a port of its own and with nothing on disk.
package final class RedisServer {
    package static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/redis-server")

    package let port: UInt16
    private let options: [String]
    private var child: Child

    /// - Parameter options: as on its command line, such as `--maxmemory 1mb`.
    package init(_ options: [String] = []) async throws {
        self.options = options
        (port, child) = try await Self.start(options)
    }

    deinit {
        child.signal(SIGCONT)
        child.kill()
    }

    /// Starts one on a free port; another may take the port before it does, so that it tries three.
    private static func start(_ options: [String]) async throws -> (UInt16, Child) {
        for _ in 0..<2 {
            let port = try NginxProxy.freePort()
            if let child = try? await start(port, options) { return (port, child) }
        }
        let port = try NginxProxy.freePort()
        return (port, try await start(port, options))
    }

    package var url: String { "redis://127.0.0.1:\(port)" }

    private static func start(_ port: UInt16, _ options: [String]) async throws -> Child {
        let child = try Child(
            "/usr/bin/redis-server",
            [
                "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no",
                "--dir", NSTemporaryDirectory(),
            ]
                + options)
        _ = try await child.line(with: "Ready to accept connections")
        return child
    }

    package func kill() { child.kill() }

    /// Starts it again on the same port, empty.
    package func restart() async throws { child = try await Self.start(port, options) }

    /// Stops its clock, as a partition of the network would.
    package func freeze() { child.signal(SIGSTOP) }

    package func thaw() { child.signal(SIGCONT) }

    /// The answer to a plain client, as redis-cli prints it.
    @discardableResult
    package func say(_ words: String...) async throws -> String { try await say(words) }

    @discardableResult
    package func say(_ words: [String]) async throws -> String {
        let client = try Child("/usr/bin/redis-cli", ["-p", "\(port)"] + words)
        let text = await client.output()
        client.wait()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
