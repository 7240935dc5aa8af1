import Foundation
import Glibc

/// A real redis-server on its own port, without files on disk.
package final class RedisServer {
    package static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/redis-server")

    package let port: UInt16
    private let options: [String]
    private var child: Child

    /// - Parameter options: command-line options, such as `--maxmemory 1mb`.
    package init(_ options: [String] = []) async throws {
        self.options = options
        (port, child) = try await Self.start(options)
    }

    deinit {
        child.signal(SIGCONT)
        child.kill()
    }

    /// Starts a server on a free port. Makes three attempts, because another process may take the port first.
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

    /// Starts the server again on the same port, without data.
    package func restart() async throws { child = try await Self.start(port, options) }

    /// Halts the server, which looks like a network partition.
    package func freeze() { child.signal(SIGSTOP) }

    package func thaw() { child.signal(SIGCONT) }

    /// Sends a command and returns the reply as redis-cli prints it.
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
