import Foundation
import JSON
import TestSupport

/// Two servers of one folder that share through Redis, behind nginx as `.packaging/nginx.conf` has it.
final class ServerPair {
    static let isAvailable = RedisServer.isInstalled && NginxProxy.isInstalled

    private let folder: TemporaryFolder
    private let redis: RedisServer
    private let servers: [String: LookaheadProcess]
    private let nginx: NginxProxy

    init() async throws {
        folder = try TemporaryFolder()
        let picture = Picture.jpeg(300, 200)
        for number in 1...600 { try folder.write("own/\(number).jpg", picture) }
        redis = try await RedisServer()
        var servers: [String: LookaheadProcess] = [:]
        for name in ["a", "b"] {
            servers[name] = try await LookaheadProcess([
                "serve", "\(folder.path)/own", "--redis", redis.url, "--node", name, "--trusted-proxy", "127.0.0.1",
            ])
        }
        self.servers = servers
        nginx = try await NginxProxy(inFrontOf: servers["a"]?.port ?? 0, servers["b"]?.port ?? 0)
    }

    var address: String { "http://127.0.0.1:\(nginx.port)/" }

    func stop() {
        nginx.stop()
        for server in servers.values {
            server.child.signal(SIGCONT)
            server.stop()
        }
    }

    /// The server that has a session: its name is what the session's id begins with.
    func server(of session: String) throws -> LookaheadProcess {
        guard let server = servers[String(session.prefix(1))] else {
            throw TestClient.Failure(what: "no server has \(session)")
        }
        return server
    }

    func session(_ id: String) throws -> JSON {
        try TestClient(nginx.port).call("GET", "sessions/\(id)").json
    }
}
