import Cluster
import Demo
import Gallery
import JSON
import ServerFixtures
import TestSupport
import Testing
import Web

/// Galleries created through the API of one of several servers, with a real Redis.
@Suite(.serialized, .enabled(if: RedisServer.isInstalled, "there is no Redis"), .timeLimit(.minutes(2)))
struct SharedGalleriesTests {
    final class Fixture {
        let redis: RedisServer
        private(set) var ports: [UInt16] = []
        private var servers: [GalleryServer] = []

        init(_ options: [String] = [], nodes: [String] = ["a", "b"]) async throws {
            redis = try await RedisServer(options)
            for node in nodes { try await start(node) }
        }

        /// Starts one more server and waits until Redis responds to it.
        func start(_ node: String) async throws {
            var settings = Settings(
                publicDirectory: LookaheadProcess.publicDirectory,
                renderCommand: [LookaheadProcess.executable, "media-worker"])
            (settings.port, settings.redis, settings.node, settings.redisTimes) = (0, [redis.url], node, .patient)
            let server = try GalleryServer(settings: settings)
            servers.append(server)
            try server.galleries.add(DemoCatalog(itemCount: 10, origin: "http://127.0.0.1:9"), id: "demo")
            ports.append(try await server.start())
            try await sees(servers.count - 1, redis: true)
        }

        func sees(_ place: Int, redis isThere: Bool) async throws {
            let line = "lookahead_shared_servers \(isThere ? 1 : 0).0\n"
            try await eventually(
                "'\(line)'", of: { try await exchange("GET", place, "/metrics").text }, satisfies: { $0.contains(line) }
            )
        }

        func stop() async {
            for server in servers { await server.shutdown() }
        }

        func exchange(
            _ method: String, _ place: Int, _ path: String, _ body: JSON? = nil
        ) async throws -> TestClient.Answer {
            try await TestClient.exchange(method, port: ports[place], path: path, body: body)
        }

        /// Creates a gallery of `count` items. The second half is in a section.
        func make(_ count: Int, at place: Int) async throws -> TestClient.Answer {
            let items = (0..<count).map { number -> JSON in
                [
                    "url": .string("http://127.0.0.1:9/\(number).jpg"), "title": .string("no. \(number)"),
                    "section": number < count / 2 ? "" : "late",
                ]
            }
            return try await exchange(
                "POST", place, "/api/v1/galleries", ["title": "Mine", "items": .array(items)])
        }

        func id(_ answer: TestClient.Answer) throws -> String {
            try #require(answer.status == 201, "\(answer.text)")
            return try #require(try JSON.parse(answer.text)["id"]?.string)
        }

        /// Waits until a server responds with `status` for a gallery.
        func waits(_ place: Int, _ id: String, for status: Int) async throws {
            try await eventually(
                "\(status)", of: { try await exchange("GET", place, "/api/v1/galleries/\(id)").status },
                satisfies: { $0 == status })
        }

        func items(_ place: Int, _ id: String, from: Int) async throws -> String {
            try await exchange("GET", place, "/api/v1/galleries/\(id)/items?from=\(from)&count=100").text
        }
    }

    @Test("ten thousand galleries are listed")
    func many() async throws {
        let redis = try await RedisServer()
        let ids = (0..<10_000).map { String(1 << 60 + $0, radix: 16) }
        try await redis.say(["SADD", GalleryScripts.ids] + ids)
        let shared = try SharedThumbnails(
            [try #require(RedisAddress(redis.url))], node: "a", agreement: "", redis: .patient
        ) { _ in }
        try await eventually("a reachable Redis") { shared.counts.reachable == 1 }
        #expect(await SharedGalleries(shared).list(0)?.ids == Set(ids))
        await shared.shutdown()
    }

    @Test(
        "a gallery created or deleted on one server appears on or disappears from all"
    )
    func everywhere() async throws {
        let fixture = try await Fixture()
        let id = try fixture.id(try await fixture.make(10_000, at: 0))
        #expect(try await fixture.redis.say("EXISTS", GalleryScripts.chunk(2, of: id)) == "1", "10,000 are 3 chunks")
        #expect(try await fixture.redis.say("PTTL", GalleryScripts.chunk(2, of: id)) == "-1")
        try await fixture.waits(1, id, for: 200)
        for from in [0, 4_090, 9_900] {
            #expect(try await fixture.items(0, id, from: from) == fixture.items(1, id, from: from))
        }
        let document = try await fixture.exchange("GET", 1, "/api/v1/galleries/\(id)").text
        #expect(try JSON.parse(document)["title"] == "Mine" && JSON.parse(document)["sections"]?.array?.count == 2)
        try await fixture.start("c")
        try await fixture.waits(2, id, for: 200)
        #expect(try await fixture.exchange("DELETE", 1, "/api/v1/galleries/\(id)").status == 204)
        for place in 0..<3 { try await fixture.waits(place, id, for: 404) }
        #expect(try await fixture.redis.say("EXISTS", GalleryScripts.chunk(0, of: id)) == "0")
        try await fixture.start("d")
        #expect(try await fixture.exchange("GET", 3, "/api/v1/galleries/\(id)").status == 404)
        await fixture.stop()
    }

    @Test(
        "a Redis that may evict galleries is refused with the policy and the fix",
        arguments: ["allkeys-lru", "allkeys-random"])
    func refused(policy: String) async throws {
        let fixture = try await Fixture(["--maxmemory", "50mb", "--maxmemory-policy", policy], nodes: ["a"])
        let answer = try await fixture.make(3, at: 0)
        #expect(answer.status == 503)
        #expect(answer.text.contains(policy) && answer.text.contains("Set its maxmemory-policy to volatile-lru"))
        let list = try await fixture.exchange("GET", 0, "/api/v1/galleries").text
        #expect(try JSON.parse(list)["galleries"]?.array?.count == 1, "only the demo's gallery")
        try await fixture.redis.say("CONFIG", "SET", "maxmemory-policy", "volatile-lru")
        #expect(try await fixture.make(3, at: 0).status == 201)
        await fixture.stop()
    }

    @Test(
        "an emptied Redis gets its galleries back, with those created or deleted meanwhile"
    )
    func away() async throws {
        let fixture = try await Fixture()
        let old = try fixture.id(try await fixture.make(20, at: 0))
        let doomed = try fixture.id(try await fixture.make(20, at: 0))
        for id in [old, doomed] { try await fixture.waits(1, id, for: 200) }
        fixture.redis.kill()
        for server in 0..<2 { try await fixture.sees(server, redis: false) }
        let new = try fixture.id(try await fixture.make(20, at: 1))
        #expect(try await fixture.exchange("DELETE", 0, "/api/v1/galleries/\(doomed)").status == 204)
        #expect(try await fixture.exchange("GET", 1, "/api/v1/galleries/\(old)").status == 200)
        try await fixture.redis.restart()
        try await fixture.waits(0, new, for: 200)
        try await fixture.waits(1, doomed, for: 404)
        try await eventually(
            "two galleries", of: { try await fixture.redis.say("SCARD", GalleryScripts.ids) }, satisfies: { $0 == "2" })
        #expect(try await fixture.redis.say("EXISTS", GalleryScripts.record(of: old)) == "1")
        await fixture.stop()
    }

    @Test("foreign data in Redis is ignored, and galleries can still be created")
    func foreign() async throws {
        let fixture = try await Fixture(nodes: ["a"])
        for (number, record) in ["a text", "LKG1 1 5\n\nno chunks", "LKG1 1 99999999\n\nhuge"].enumerated() {
            let id = "000000000000000\(number)"
            try await fixture.redis.say("SET", GalleryScripts.record(of: id), record)
            try await fixture.redis.say("SADD", GalleryScripts.ids, id)
        }
        try await fixture.redis.say("SADD", GalleryScripts.ids, "../../demo")
        try await fixture.redis.say("INCR", GalleryScripts.revision)
        let id = try fixture.id(try await fixture.make(3, at: 0))
        #expect(try await fixture.exchange("GET", 0, "/api/v1/galleries/\(id)").status == 200)
        let list = try await fixture.exchange("GET", 0, "/api/v1/galleries").text
        #expect(try JSON.parse(list)["galleries"]?.array?.count == 2)
        await fixture.stop()
    }
}
