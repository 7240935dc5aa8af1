import Foundation
import Glibc

/// nginx with TLS and HTTP/2 on a loopback port, its certificate made for the occasion.
final class NginxOrigin: Sendable {
    static let isInstalled = ["/usr/sbin/nginx", "/usr/bin/openssl"].allSatisfy(access)

    let port: UInt16
    let certificate: String
    private let directory: String

    private static func access(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    init() throws {
        directory = NSTemporaryDirectory() + "lookahead-nginx-\(UUID().uuidString)"
        certificate = directory + "/certificate.pem"
        try FileManager.default.createDirectory(atPath: directory + "/www", withIntermediateDirectories: true)
        try Data(OriginRoutes.pattern(50_000)).write(to: URL(fileURLWithPath: directory + "/www/small"))
        try Data(OriginRoutes.pattern(3_000_000)).write(to: URL(fileURLWithPath: directory + "/www/large"))
        try Self.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", directory + "/key.pem", "-out",
                certificate,
            ])
        port = try Self.listen(directory)
    }

    /// nginx cannot be asked for any free port: one is found, and another when somebody was quicker.
    private static func listen(_ directory: String) throws -> UInt16 {
        var attempts = 5
        while true {
            let free = try TestOrigin()
            free.abandon()
            try configuration(port: free.port, directory: directory)
                .write(toFile: directory + "/nginx.conf", atomically: true, encoding: .utf8)
            do {
                // It goes to the background, and this returns, once it listens.
                try run("/usr/sbin/nginx", ["-p", directory, "-c", directory + "/nginx.conf", "-e", "error.log"])
                return free.port
            } catch {
                attempts -= 1
                if attempts == 0 { throw error }
            }
        }
    }

    func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

    func stop() {
        let text = (try? String(contentsOfFile: directory + "/nginx.pid", encoding: .utf8)) ?? ""
        // First: nginx tidies up as well when it ends, and the two would trip over each other.
        try? FileManager.default.removeItem(atPath: directory)
        if let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)) { kill(process, SIGTERM) }
    }

    /// Foundation's `Process` would wait for the daemon as well, which inherits what tells it of the end.
    private static func run(_ program: String, _ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // A daemon that held a test's socket would keep its connection open.
        for descriptor in 3..<1_024 as Range<Int32> { posix_spawn_file_actions_addclose(&actions, descriptor) }
        // Threads of Swift's runtime block signals, and a child inherits that: it would never hear of its end.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let failure = posix_spawn(&process, program, &actions, &attributes, &words, environ)
        guard failure == 0 else { throw OriginFailure(code: failure) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw OriginFailure(code: status) }
    }

    private static func configuration(port: UInt16, directory: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(directory)/temp;" }.joined(separator: " ")
        return """
            daemon on; master_process off; pid \(directory)/nginx.pid; error_log \(directory)/error.log;
            events { worker_connections 256; }
            http {
                access_log off; \(temporary)
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(directory)/certificate.pem; ssl_certificate_key \(directory)/key.pem;
                    root \(directory)/www;
                    location /slow/ { alias \(directory)/www/; limit_rate 20k; }
                }
            }
            """
    }
}
