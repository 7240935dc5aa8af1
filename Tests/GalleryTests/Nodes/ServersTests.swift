import Demo
import Foundation
import JSON
import TestSupport
import Testing

/// Real processes that share through a real Redis.
@Suite(.enabled(if: RedisServer.isInstalled, "there is no Redis"), .timeLimit(.minutes(2)))
struct ServersTests {
    /// Two servers of the same list, as people start them.
    final class Fixture {
        let origin: DemoOrigin
        let redis: RedisServer
        let servers: [LookaheadProcess]
        private let folder = try? TemporaryFolder()

        init(latency: Double) async throws {
            origin = DemoOrigin(
                conditions: DemoOrigin.Conditions(latency: latency, jitter: 0, bandwidth: nil, failureRate: 0))
            let port = try origin.start()
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
                while !(try await Self.get(port, "/metrics").text.contains("lookahead_shared_servers 1")) {}
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

        func requests() async -> [Int: Int] {
            await origin.waitForLog { $0.open == 0 }
            return origin.log.entries.reduce(into: [:]) { $0[$1.item ?? -1, default: 0] += 1 }
        }
    }

    @Test("what both are asked for is downloaded once; their metrics tell by whom")
    func once() async throws {
        let fixture = try await Fixture(latency: 50)
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
        #expect(await fixture.requests().values.allSatisfy { $0 == 1 })
        var led = 0
        for port in ports {
            let text = try await Fixture.get(port, "/metrics").text
            let value = text.firstMatch(of: /lookahead_shared_claims_total\{result="led"\} (\d+)/)?.output.1
            led += Int(value ?? "") ?? 0
        }
        #expect(led == 10)
    }

    // Row of the cases: the leader is killed.
    @Test("the server that downloads is killed: the other serves the picture none the less")
    func killed() async throws {
        let fixture = try await Fixture(latency: 1_000)
        let ports = fixture.ports
        async let first = try? Fixture.thumbnail(0, of: ports[0])
        await fixture.origin.waitForLog { $0.open == 1 }
        async let second = Fixture.thumbnail(0, of: ports[1])
        while !(try await Fixture.get(ports[1], "/metrics").text.contains(/result="waited"\} [1-9]/)) {}
        fixture.servers[0].kill()
        #expect(try await second.status == 200)
        _ = await first
        #expect(await fixture.requests() == [0: 2])
    }
}
