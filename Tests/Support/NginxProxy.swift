import Foundation
import Glibc

/// Debian's nginx in front of a server.
package final class NginxProxy: Sendable {
    package static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx")

    private let place: HeldPort
    private let folder: TemporaryFolder
    private let child: Child

    /// - Parameters:
    ///   - locations: the part of the configuration for the served paths.
    ///   - port: port of a proxy that was stopped. `nil` picks a free port.
    package convenience init(_ locations: String, port: UInt16? = nil) async throws {
        try await self.init(http: "server {\nlisten 80;\n\(locations)\n}", port: port)
    }

    /// - Parameter http: the whole configuration. Its one server listens on port 80, which is replaced by another port.
    package init(http: String, port: UInt16? = nil) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        place = try HeldPort(port ?? 0)
        let configuration = http.replacing("listen 80", with: "listen 127.0.0.1:\(place.number)")
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path)/temp;" }.joined(separator: " ")
        let file = try folder.write(
            "nginx.conf",
            Array(
                """
                daemon off; master_process off; pid \(folder.path)/nginx.pid; error_log /dev/stdout notice;
                events { worker_connections 256; }
                http {
                    access_log off; \(temporary)
                \(configuration)
                }
                """.utf8))
        child = try Child("/usr/sbin/nginx", ["-p", folder.path, "-c", file, "-e", "/dev/stdout"])
        // nginx prints its version once it listens.
        _ = try await child.line(with: "nginx/")
    }

    /// Creates a proxy in front of two servers with the configuration `.packaging/nginx.conf`.
    package convenience init(inFrontOf a: UInt16, _ b: UInt16) async throws {
        let checkout = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = checkout.appendingPathComponent(".packaging/nginx.conf")
        try await self.init(
            http: String(contentsOf: file, encoding: .utf8)
                .replacing("server a:8080", with: "server 127.0.0.1:\(a)")
                .replacing("server b:8080", with: "server 127.0.0.1:\(b)"))
    }

    deinit { child.stop() }

    /// Port of the proxy. Reserved while the proxy is stopped.
    package var port: UInt16 { place.number }

    package func stop() { child.stop() }

    private struct NoFreePort: Error {}

    static func freePort() throws -> UInt16 {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(fd) }
        var address = SocketAddress()
        guard address.bind(fd) else { throw NoFreePort() }
        return address.port
    }
}
