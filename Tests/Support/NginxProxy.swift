import Foundation
import Glibc

/// Debian's nginx in front of a server.
package final class NginxProxy {
    package static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx")

    package let port: UInt16
    private let folder: TemporaryFolder
    private let child: Child

    /// - Parameters:
    ///   - locations: what its configuration says of the paths it serves.
    ///   - port: a free one if none is given.
    package convenience init(_ locations: String, port: UInt16? = nil) async throws {
        let port = try port ?? Self.freePort()
        try await self.init(http: "server {\nlisten 80;\n\(locations)\n}", port: port)
    }

    /// - Parameter http: all of its configuration, whose one server listens on port 80: it gets another.
    package init(http: String, port: UInt16? = nil) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        self.port = try port ?? Self.freePort()
        let configuration = http.replacing("listen 80;", with: "listen 127.0.0.1:\(self.port);")
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
        // It says its version once it listens.
        _ = try await child.line(with: "nginx/")
    }

    deinit { child.stop() }

    package func stop() { child.stop() }

    private struct NoFreePort: Error {}

    /// A port that nobody listens on now.
    static func freePort() throws -> UInt16 {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(fd) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(fd, pointer, length) == 0 ? getsockname(fd, pointer, &length) : -1
            }
        }
        guard code == 0 else { throw NoFreePort() }
        return UInt16(bigEndian: address.sin_port)
    }
}
