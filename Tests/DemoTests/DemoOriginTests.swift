import Demo
import ServerFixtures
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct DemoOriginTests {
    @Test("the origin serves the requested picture, with spaces as + or %20", arguments: ["+", "%20"])
    func pictures(_ space: String) async throws {
        try await withOrigin(.ideal) { origin, port in
            let client = try OriginClient(port: port)
            for number in [7, 123_456] {
                let reply = try await client.get("/320x200?text=food\(space)\(number)")
                #expect(reply.status == 200)
                #expect(reply.header("content-type") == "image/jpeg")
                #expect(FilmEdge.number(jpeg: reply.body) == number)
            }
            let log = try await origin.waitForLog { $0.completed == 2 }
            #expect(log.requests == 2)
            #expect(log.open == 0)
            #expect(log.entries.map(\.item) == [6, 123_455])
            #expect(log.entries.allSatisfy { $0.outcome == .completed && $0.bytes == $0.totalBytes && $0.bytes > 2000 })
            #expect(log.bytes == log.entries.map(\.bytes).reduce(0, +))
        }
    }

    @Test("a client with the current picture gets 304, and another picture has another tag")
    func revalidation() async throws {
        try await withOrigin(.ideal) { origin, port in
            let client = try OriginClient(port: port)
            let first = try await client.get("/64x64?text=food+1")
            let tag = try #require(first.header("etag"))
            let again = try await client.get("/64x64?text=food+1", headers: "If-None-Match: \(tag)\r\n")
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            let other = try await client.get("/64x64?text=food+2", headers: "If-None-Match: \(tag)\r\n")
            #expect(other.status == 200)
            #expect(FilmEdge.number(jpeg: other.body) == 2)
            let log = try await origin.waitForLog { $0.completed == 3 }
            #expect(log.open == 0)
        }
    }

    @Test(
        "an invalid picture path gets 404",
        arguments: [
            "/", "/600", "/600x", "/x400", "/600x400x2", "/15x400?text=a", "/600x4097", "/99999x400", "/-600x400",
            "/+600x400",
            "/a/600x400", "/600x400?text=" + String(repeating: "x", count: 65),
        ])
    func notFound(_ target: String) async throws {
        try await withOrigin(.ideal) { origin, port in
            let client = try OriginClient(port: port)
            #expect(try await client.get(target).status == 404)
            #expect(origin.log.requests == 0)
        }
    }

    @Test("the origin notices at once when a client leaves, before or during its picture")
    func aborted() async throws {
        try await withOrigin(DemoOrigin.Conditions(latency: 60_000, jitter: 0, bandwidth: 1)) { origin, port in
            var client: OriginClient? = try OriginClient(port: port)
            try #require(client).send("/600x400?text=food+1")
            try await origin.waitForLog { $0.open == 1 }
            client = nil
            let early = try await origin.waitForLog { $0.aborted == 1 }
            #expect(early.open == 0)
            #expect(early.abortedLate == 0)
            #expect(early.wastedBytes == 0)

            // At 0.02 Mbit/s the picture takes many seconds, and the client leaves within one.
            origin.conditions = DemoOrigin.Conditions(latency: 0, jitter: 0, bandwidth: 0.02)
            client = try OriginClient(port: port)
            try #require(client).send("/600x400?text=food+2")
            try await #require(client).receive(bytes: 2000)
            client = nil
            let late = try await origin.waitForLog { $0.aborted == 2 }
            #expect(late.abortedLate == 1)
            let entry = try #require(late.entries.last)
            #expect(entry.outcome == .aborted)
            #expect(entry.bytes >= 1000)
            #expect(entry.bytes < entry.totalBytes)
            #expect(late.wastedBytes == entry.bytes)
        }
    }

    @Test("the origin waits out its latency and shares its bandwidth")
    func network() async throws {
        try await withOrigin(DemoOrigin.Conditions(latency: 150, jitter: 0, bandwidth: nil)) { origin, port in
            let client = try OriginClient(port: port)
            _ = try await client.get("/64x64?text=food+1")
            let before = try await origin.waitForLog { $0.completed == 1 }
            let first = try #require(before.entries.last)
            #expect(first.ended - first.began >= 149)

            // Slow enough that all transfers begin before any ends.
            origin.conditions = DemoOrigin.Conditions(latency: 0, jitter: 0, bandwidth: 0.01)
            let clients = try (0..<4).map { _ in try OriginClient(port: port) }
            for (number, client) in clients.enumerated() { client.send("/400x300?text=food+\(number)") }
            try await origin.waitForLog { $0.open == 4 }
            origin.conditions.bandwidth = 4
            for client in clients { #expect(try await client.receive().status == 200) }
            let log = try await origin.waitForLog { $0.completed == 5 }
            #expect(log.peak == 4)
            let entries = log.entries.suffix(4)
            let began = try #require(entries.map(\.began).min())
            let ended = try #require(entries.map(\.ended).max())
            // 4 Mbit/s are 500 bytes in a millisecond. Four pictures cannot arrive faster.
            #expect(ended - began >= Double(entries.map(\.bytes).reduce(0, +)) / 500 * 0.98)
        }
    }

    @Test("failures match the failure rate and are the same each time")
    func faults() async throws {
        let pictures = (0..<4000).compactMap { DemoPicture(width: 64, height: 64, text: "food \($0)") }
        let faults = pictures.map { $0.fault(failureRate: 0.2) }
        #expect(faults == pictures.map { $0.fault(failureRate: 0.2) })
        #expect((700...900).contains(faults.count { $0 != nil }))
        #expect(Set(faults.compactMap(\.self)).count == DemoOrigin.Fault.allCases.count)
        #expect(pictures.allSatisfy { $0.fault(failureRate: 0) == nil })
        #expect(pictures.allSatisfy { $0.fault(failureRate: 1) != nil })

        func number(_ fault: DemoOrigin.Fault) throws -> Int {
            try #require(faults.firstIndex { $0 == fault })
        }
        try await withOrigin(DemoOrigin.Conditions(latency: 0, jitter: 0, bandwidth: nil, failureRate: 0.2)) {
            origin, port in
            let busy = try number(.unavailable)
            let client = try OriginClient(port: port)
            for attempt in 1...3 {
                let reply = try await client.get("/64x64?text=food+\(busy)")
                #expect(reply.status == (attempt < 3 ? 503 : 200))
                #expect((reply.header("retry-after") != nil) == (attempt < 3))
            }
            let broken = try await client.get("/64x64?text=food+\(try number(.broken))")
            #expect(broken.status == 200)
            #expect(FilmEdge.number(jpeg: broken.body) == nil)
            let truncated = "/64x64?text=food+\(try number(.truncated))"
            await #expect(throws: TestClient.Failure.self) { _ = try await client.get(truncated) }
            let log = try await origin.waitForLog { $0.requests == 5 && $0.open == 0 }
            #expect(log.failed == 3)
            #expect(log.completed == 2)
        }
    }

    @Test("at a failure rate of one every request fails")
    func nothing() async throws {
        try await withOrigin(DemoOrigin.Conditions(latency: 0, jitter: 0, bandwidth: nil, failureRate: 1)) {
            origin, port in
            let busy = try #require(
                (0..<64).first {
                    DemoPicture(width: 64, height: 64, text: "food \($0)")?.fault(failureRate: 1) == .unavailable
                })
            let client = try OriginClient(port: port)
            for _ in 1...4 { #expect(try await client.get("/64x64?text=food+\(busy)").status == 503) }
        }
    }

    @Test("conditions out of range are clamped, even if not a number")
    func conditions() {
        var conditions = DemoOrigin.Conditions(latency: -5, jitter: .nan, bandwidth: .infinity, failureRate: 7)
        #expect(conditions == DemoOrigin.Conditions(latency: 0, jitter: 0.35, bandwidth: 100_000, failureRate: 1))
        conditions.bandwidth = 0
        conditions.latency = .infinity
        #expect(conditions.bandwidth == 0.01)
        #expect(conditions.latency == 60_000)
    }

    @Test("stopping aborts requests in flight")
    func stops() async throws {
        let origin = DemoOrigin(conditions: DemoOrigin.Conditions(latency: 60_000, jitter: 0))
        let client = try OriginClient(port: try origin.start())
        client.send("/600x400?text=food+1")
        try await origin.waitForLog { $0.open == 1 }
        await origin.stop()
        await #expect(throws: TestClient.Failure.self) { _ = try await client.receive() }
        #expect(origin.url == nil)
    }

    @Test("the log keeps only the last requests, in order")
    func ring() async throws {
        var configuration = DemoOrigin.Configuration()
        configuration.logEntries = 3
        try await withOrigin(.ideal, configuration) { origin, port in
            let client = try OriginClient(port: port)
            for number in 1...5 { _ = try await client.get("/32x32?text=\(number)") }
            let log = try await origin.waitForLog { $0.completed == 5 }
            #expect(log.entries.map(\.item) == [2, 3, 4])
        }
    }
}
