import Foundation
import TestSupport

/// nginx with TLS and HTTP/2 on a loopback port, with a new certificate.
final class NginxOrigin: Sendable {
    static let isInstalled =
        NginxProxy.isInstalled && FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    let certificate: String
    private let folder: TemporaryFolder
    private let nginx: NginxProxy

    init() async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        certificate = "\(folder.path)/certificate.pem"
        try folder.write("www/small", OriginRoutes.pattern(50_000))
        try folder.write("www/large", OriginRoutes.pattern(3_000_000))
        let openssl = try Child(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "\(folder.path)/key.pem", "-out",
                certificate,
            ])
        let status = openssl.wait()
        guard status == 0 else { throw OriginFailure(code: status) }
        nginx = try await Self.start(folder.path, certificate)
    }

    /// Starts nginx on a free port. Tries again if another process took the port meanwhile.
    private static func start(_ folder: String, _ certificate: String) async throws -> NginxProxy {
        var attempts = 5
        while true {
            do {
                return try await NginxProxy(
                    http: """
                        server {
                            listen 80 ssl http2;
                            ssl_certificate \(certificate); ssl_certificate_key \(folder)/key.pem;
                            root \(folder)/www;
                            location /slow/ { alias \(folder)/www/; limit_rate 20k; }
                        }
                        """)
            } catch {
                attempts -= 1
                if attempts == 0 { throw error }
            }
        }
    }

    var port: UInt16 { nginx.port }

    func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

    func stop() { nginx.stop() }
}
