import Foundation
import JSON
import ServerFixtures
import TestSupport
import Testing

/// Server processes that share through Redis.
@Suite(.enabled(if: RedisServer.isInstalled, "there is no Redis"), .timeLimit(.minutes(2)))
struct ServersTests {
    /// Two servers of the same list, started on the command line.
    final class Fixture {
        let origin: ScriptedOrigin
        let redis: RedisServer
        let servers: [LookaheadProcess]
        private let folder = try? TemporaryFolder()

        init() async throws {
            origin = try ScriptedOrigin.heldDemo()
            let port = origin.port
            let redis = try await RedisServer()
            self.redis = redis
            let lines = (1...40).map { "http://127.0.0.1:\(port)/640x480?text=food+\($0)" }
            let list = try folder?.write("list.txt", Array(lines.joined(separator: "\n").utf8)) ?? ""
            var servers: [LookaheadProcess] = []
            for name in ["a", "b"] {
                servers.append(
                    try await LookaheadProcess([
                        "serve", list, "--allow-origin", "127.0.0.1:\(port)", "--redis", redis.url, "--node", name,
                    ]))
            }
            self.servers = servers
            for port in servers.map(\.port) {
                try await eventually(
                    "Redis", of: { try await Self.get(port, "/metrics").text },
                    satisfies: { $0.contains("lookahead_shared_servers 1") })
            }
        }

        deinit { for server in servers { server.stop() } }

        var ports: [UInt16] { servers.map(\.port) }

        static func get(_ port: UInt16, _ path: String) async throws -> TestClient.Answer {
            try await TestClient.exchange("GET", port: port, path: path)
        }

        static func thumbnail(_ item: Int, of port: UInt16) async throws -> TestClient.Answer {
            try await get(port, "/api/v1/galleries/list/items/\(item)/thumbnail?width=128")
        }

        /// Number of a server's claims with this result.
        func claims(_ result: String, of port: UInt16) async throws -> Int {
            let text = try await Self.get(port, "/metrics").text
            let line = try Regex(
                #"lookahead_shared_claims_total\{result="\#(result)"\} (\d+)"#, as: (Substring, Substring).self)
            return try #require(text.firstMatch(of: line).flatMap { Int($0.output.1) })
        }

        func stop() async {
            for server in servers { server.stop() }
            await origin.stop()
        }
    }

    // Redis may respond late here. SharingTests checks that no server goes alone if it does not.
    @Test("a thumbnail requested from two servers is downloaded once, unless Redis responds late")
    func once() async throws {
        let fixture = try await Fixture()
        fixture.origin.release()
        let ports = fixture.ports
        let answers = try await withThrowingTaskGroup(of: (Int, TestClient.Answer).self) { group in
            for item in 0..<10 {
                for port in ports { group.addTask { (item, try await Fixture.thumbnail(item, of: port)) } }
            }
            return try await group.reduce(into: [Int: [TestClient.Answer]]()) { $0[$1.0, default: []].append($1.1) }
        }
        for (item, answers) in answers {
            #expect(answers.allSatisfy { $0.status == 200 }, "\(item)")
            #expect(Set(answers.map(\.body)).count == 1)
        }
        var (led, alone) = (0, 0)
        for port in ports {
            led += try await fixture.claims("led", of: port)
            alone += try await fixture.claims("alone", of: port)
        }
        let requests = fixture.origin.demoRequests
        #expect(requests.keys.sorted() == Array(0..<10))
        // One request for each picture, and more for servers that went alone.
        let total = requests.values.reduce(0, +)
        #expect(total >= 10 && total <= 10 + alone)
        #expect(led + alone >= 10)
        await fixture.stop()
    }

    @Test("a server serves a picture after the server that downloaded it was killed")
    func killed() async throws {
        let fixture = try await Fixture()
        let ports = fixture.ports
        async let first = try? Fixture.thumbnail(0, of: ports[0])
        try await eventually("a request", of: { fixture.origin.heldCount }, satisfies: { $0 == 1 })
        async let second = Fixture.thumbnail(0, of: ports[1])
        // The server asks the origin itself if Redis responds late.
        try await eventually("a waiting server") {
            if fixture.origin.demoRequests[0] == 2 { return true }
            return try await fixture.claims("waited", of: ports[1]) > 0
        }
        fixture.servers[0].kill()
        fixture.origin.release()
        #expect(try await second.status == 200)
        _ = await first
        #expect(fixture.origin.demoRequests == [0: 2])
        await fixture.stop()
    }
}
