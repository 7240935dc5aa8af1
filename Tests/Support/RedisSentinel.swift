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
        port = try NginxProxy.freePort()
        folder = try TemporaryFolder()
        let file = try folder.write(
            "sentinel.conf",
            Array(
                """
                port \(port)
                bind 127.0.0.1
                sentinel monitor \(name) 127.0.0.1 \(server) 1
                sentinel down-after-milliseconds \(name) 500
                sentinel failover-timeout \(name) 3000
                \(password.map { "sentinel auth-pass \(name) \($0)\nrequirepass \($0)" } ?? "")

                """.utf8))
        child = try Child("/usr/bin/redis-server", [file, "--sentinel"])
        _ = try await child.line(with: "+monitor")
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
