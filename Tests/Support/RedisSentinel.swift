import Foundation

/// A real sentinel, alone enough to decide, that gives a server up after half a second.
package final class RedisSentinel {
    package let port: UInt16
    private let folder: TemporaryFolder
    private let child: Child

    private let password: String?

    /// - Parameter password: of the server, and its own.
    package init(of server: UInt16, named name: String, password: String? = nil) async throws {
        self.password = password
        folder = try TemporaryFolder()
        let configuration =
            """
            bind 127.0.0.1
            sentinel monitor \(name) 127.0.0.1 \(server) 1
            sentinel down-after-milliseconds \(name) 500
            sentinel failover-timeout \(name) 3000
            \(password.map { "sentinel auth-pass \(name) \($0)\nrequirepass \($0)" } ?? "")

            """
        (port, child) = try await Self.start(configuration, in: folder)
    }

    /// Starts one on a free port; another may take the port before it does, so that it tries three.
    private static func start(_ configuration: String, in folder: TemporaryFolder) async throws -> (UInt16, Child) {
        func start(_ port: UInt16) async throws -> Child {
            let file = try folder.write("\(port).conf", Array("port \(port)\n\(configuration)".utf8))
            let child = try Child("/usr/bin/redis-server", [file, "--sentinel"])
            _ = try await child.line(with: "+monitor")
            return child
        }
        for _ in 0..<2 {
            let port = try NginxProxy.freePort()
            if let child = try? await start(port) { return (port, child) }
        }
        let port = try NginxProxy.freePort()
        return (port, try await start(port))
    }

    deinit { child.kill() }

    /// How many replicas of a server it knows.
    package func replicas(of name: String) async throws -> Int {
        let client = try Child(
            "/usr/bin/redis-cli",
            ["-p", "\(port)"] + (password.map { ["-a", $0, "--no-auth-warning"] } ?? []) + [
                "SENTINEL", "replicas", name,
            ])
        let text = await client.output()
        client.wait()
        return text.split(whereSeparator: \.isNewline).count { $0 == "master-link-status" }
    }
}
