import Foundation
import JSON
import TestSupport
import Testing

/// Two servers that share through Redis, behind nginx with the configuration of `.packaging/nginx.conf`.
@Suite(
    .timeLimit(.minutes(2)),
    .enabled(if: RedisServer.isInstalled && NginxProxy.isInstalled, "there is no Redis or nginx"))
struct NodesTests {
    @Test("sessions stay with their server, thumbnails are shared, and a killed server is replaced by the other")
    func gone() async throws {
        try await withNodes { a, b, nginx in try servesAlone(a, b, nginx) }
    }

    @Test("a server lists galleries and opens sessions while the other server hangs")
    func hangs() async throws {
        try await withNodes { a, b, nginx in
            let ofA = try #require(
                try TestClient(a.port).call("POST", "sessions", Self.wanted).json["id"]?.string)
            a.child.signal(SIGSTOP)
            let status = "/proc/\(a.child.processIdentifier)/status"
            try await eventually("the server halted") {
                try String(contentsOfFile: status, encoding: .utf8).contains("State:\tT")
            }
            // nginx asks both in turn.
            for _ in 0..<2 {
                let list = try TestClient(nginx.port, seconds: 10).call("GET", "galleries")
                #expect(list.status == 200 && list.text.contains("own"), "\(list.text)")
            }
            for _ in 0..<4 {
                let opened = try TestClient(nginx.port).call("POST", "sessions", Self.wanted)
                #expect(opened.status == 201 && opened.json["id"]?.string?.hasPrefix("b-") == true, "\(opened.text)")
            }
            let posted = try TestClient(nginx.port).call(
                "POST", "sessions/\(ofA)/viewport", ["seq": 1, "time": 0, "scrollTop": 0])
            #expect(posted.status == 404, "\(posted.text)")
        }
    }

    private static let wanted: JSON = ["gallery": "own", "viewport": ["width": 900, "height": 600]]

    /// Two servers of one folder, `a` and `b`, behind nginx.
    private func withNodes(
        _ body: (_ a: LookaheadProcess, _ b: LookaheadProcess, _ nginx: NginxProxy) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        for number in 1...20 { try folder.write("own/\(number).jpg", Picture.jpeg(300, 200)) }
        let redis = try await RedisServer()
        func node(_ name: String) async throws -> LookaheadProcess {
            try await LookaheadProcess([
                "serve", "\(folder.path)/own", "--redis", redis.url, "--node", name, "--trusted-proxy", "127.0.0.1",
            ])
        }
        let (a, b) = (try await node("a"), try await node("b"))
        defer {
            a.child.signal(SIGCONT)
            a.stop()
            b.stop()
        }
        let nginx = try await NginxProxy(inFrontOf: a.port, b.port)
        defer { nginx.stop() }
        try await body(a, b, nginx)
    }

    private func servesAlone(_ a: LookaheadProcess, _ b: LookaheadProcess, _ nginx: NginxProxy) throws {
        let client = try TestClient(nginx.port)
        var sessions: [String] = []
        for _ in 0..<12 {
            let opened = try client.call("POST", "sessions", Self.wanted)
            #expect(opened.status == 201, "\(opened.text)")
            sessions.append(try #require(opened.json["id"]?.string))
        }
        #expect(Set(sessions.map { $0.prefix(2) }) == ["a-", "b-"])
        for session in sessions {
            #expect(try client.call("GET", "sessions/\(session)").status == 200)
            let events = try EventReader(nginx.port, "/api/v1/sessions/\(session)/events")
            #expect(try events.next().name == "hello")
            events.leave()
        }
        for item in 0..<20 {
            let path = "galleries/own/items/\(item)/thumbnail?width=100&height=100"
            #expect(try TestClient(a.port).call("GET", path).status == 200)
            #expect(try TestClient(b.port).call("GET", path).status == 200)
        }
        // The second server uses thumbnails of the first, though not all if Redis responds late.
        let metrics = try TestClient(b.port).get("/metrics").text
        #expect(metrics.contains(#/lookahead_shared_claims_total\{result="hit"\} [1-9]/#), "\(metrics)")

        a.kill()
        let lost = try #require(sessions.first { $0.hasPrefix("a-") })
        #expect(try TestClient(nginx.port).call("GET", "sessions/\(lost)").status == 404)
        for _ in 0..<4 {
            let opened = try TestClient(nginx.port).call("POST", "sessions", Self.wanted)
            #expect(opened.status == 201 && opened.json["id"]?.string?.hasPrefix("b-") == true, "\(opened.text)")
        }
        let kept = try #require(sessions.first { $0.hasPrefix("b-") })
        #expect(try TestClient(nginx.port).call("GET", "sessions/\(kept)").status == 200)
    }
}
