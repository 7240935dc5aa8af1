import Gallery
import JSON
import Media
import ServerFixtures
import TaskPool
import TestSupport
import Testing
import Threads
import Thumbnails

/// Folders that do not respond, like a network share whose server is gone. A gate of the test blocks their threads.
@Suite(.timeLimit(.minutes(1)))
struct FolderThreadsTests {
    @Test("threads count as hung once each of them is late, until one finishes")
    func hanging() {
        var busy = BusyThreads(count: 2)
        func look(_ seconds: Int, _ late: [UInt64], _ hang: Bool) {
            let found = busy.late(at: .after(.seconds(seconds)), patience: .seconds(10))
            #expect(found == late && busy.hang == hang, "at \(seconds)")
        }
        look(100, [], false)
        busy.begin(1, at: .after(.seconds(0)))
        look(9, [], false)
        look(10, [1], false)
        busy.begin(2, at: .after(.seconds(95)))
        look(104, [1], false)
        look(105, [1, 2], true)
        busy.end(1)
        #expect(!busy.hang)
        look(200, [2], false)
        busy.begin(3, at: .after(.seconds(205)))
        look(214, [2], false)
        look(215, [2, 3], true)
    }

    @Test("a stopping server waits a limited time for work that does not end")
    func stopping() async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        await ThumbnailBackend.run(for: .milliseconds(10)) { for await _ in ends {} }
        end.finish()
        await ThumbnailBackend.run(for: .seconds(3_600)) {}
    }

    @Test("late work is refused while other threads are free")
    func late() async throws {
        let threads = BlockingThreads("test", count: 2, limit: 10)
        let gate = TestGate()
        let begun = Task { try await threads.run { gate.pass() } }
        await gate.arrival()
        threads.giveUp(at: .now + .seconds(60), patience: .seconds(60))
        await #expect(throws: BlockingThreads.Refusal.hangs) { try await begun.value }
        #expect(try await threads.run { 1 } == 1)
        gate.open()
    }

    @Test("queued and new work is refused while all threads hang")
    func refused() async throws {
        let threads = BlockingThreads("test", count: 1, limit: 10)
        let gate = TestGate()
        let begun = Task { try await threads.run { gate.pass() } }
        await gate.arrival()
        let waiting = Task { try await threads.run {} }
        try await eventually("queued work", of: { threads.waitingCount }, satisfies: { $0 == 1 })
        threads.giveUp(at: .now + .seconds(60), patience: .seconds(60))
        await #expect(throws: BlockingThreads.Refusal.hangs) { try await begun.value }
        await #expect(throws: BlockingThreads.Refusal.hangs) { try await waiting.value }
        await #expect(throws: BlockingThreads.Refusal.hangs) { try await threads.run {} }
        // Work without a waiter runs once a thread is free.
        let later = TestGate()
        threads.start { later.pass() }
        gate.open()
        await later.arrival()
        later.open()
        try await eventually("a free thread") { (try? await threads.run { true }) ?? false }
    }

    @Test("each folder has its own threads, and a shutdown refuses work")
    func folders() async throws {
        let threads = FolderThreads("test", patience: .seconds(60), count: 1, limit: 10)
        let gate = TestGate()
        let (one, other) = (FolderRoot(path: "/one"), FolderRoot(path: "/other"))
        threads.threads(for: one).start { gate.pass() }
        await gate.arrival()
        #expect(try await threads.threads(for: other).run { 1 } == 1)
        #expect(try await threads.threads(for: nil).run { 2 } == 2)
        #expect(threads.threads(for: one) === threads.threads(for: FolderRoot(path: "/one")))
        threads.shutdown()
        for root in [one, other, nil, FolderRoot(path: "/new")] {
            await #expect(throws: BlockingThreads.Refusal.shutDown) { try await threads.threads(for: root).run {} }
        }
        gate.open()
    }

    @Test("a folder that does not respond gets 503 with its name, and other galleries are served")
    func server() async throws {
        let gated = try await GatedServer()
        let port = gated.port
        var (hung, well) = (GatedCatalog(), GatedCatalog())
        hung.root = FolderRoot(path: "/nowhere/Hung")
        well.root = FolderRoot(path: "/nowhere/Well")
        try gated.server.galleries.add(hung, id: "hung")
        try gated.server.galleries.add(well, id: "well")
        func get(_ path: String) async throws -> TestClient.Answer {
            try await TestClient.exchange("GET", port: port, path: path)
        }
        func items(_ gallery: String, from: Int = 0) async throws -> TestClient.Answer {
            try await get("/api/v1/galleries/\(gallery)/items?from=\(from)&count=1")
        }
        async let first = items("hung", from: GatedCatalog.heldItem)
        async let second = items("hung", from: GatedCatalog.heldItem)
        for _ in 0..<2 { await hung.items.arrival() }
        async let third = items("hung")
        #expect(try await items("well").status == 200)
        #expect(try await items("gated").status == 200)
        #expect(try await get("/index.html").status == 200)
        #expect(try await get("/metrics").status == 200)
        gated.server.thumbnails.giveUpOnFolders(at: .now + .seconds(3600))
        #expect(try await items("hung").status == 503)
        for answer in try await [first, second, third] {
            #expect(answer.status == 503 && answer.header("retry-after") == "10")
            let detail = answer.json["detail"]?.string ?? ""
            #expect(detail.contains("\"Hung\"") && !detail.contains("nowhere"), "\(detail)")
        }
        #expect(try await items("well").status == 200)
        hung.items.open()
        try await eventually("an answer", of: { try await items("hung").status }, satisfies: { $0 == 200 })
        await gated.stop()
    }

    @Test("a queued thumbnail is looked up even if its gallery is removed meanwhile")
    func removed() async throws {
        let gated = try await GatedServer()
        var hung = GatedCatalog()
        hung.root = FolderRoot(path: "/nowhere/Hung")
        try gated.server.galleries.add(hung, id: "hung")
        try gated.server.galleries.add(GatedCatalog(), id: "removed")
        let gate = TestGate()
        let threads = gated.server.thumbnails.maker.statThreads.threads(for: hung.root)
        for _ in 0..<4 { threads.start { gate.pass() } }
        for _ in 0..<4 { await gate.arrival() }
        func thumbnail(_ gallery: String, _ item: Int) -> Task<TestClient.Answer, any Error> {
            let path = "/api/v1/galleries/\(gallery)/items/\(item)/thumbnail"
            return Task { try await TestClient.exchange("GET", port: gated.port, path: path) }
        }
        func lookUps(_ name: String) async throws -> JSON? {
            let stats = try await TestClient.exchange("GET", port: gated.port, path: "/api/v1/stats").json
            return stats["tasks_\(name)"]?.array?.first { $0["labels"]?["stage"] == "store" }?["value"]
        }
        let before = (0..<TaskPoolLimits().lookUp).map { thumbnail("hung", $0) }
        let all = JSON.number(Double(before.count))
        try await eventually("all look-ups busy", of: { try await lookUps("running") }, satisfies: { $0 == all })
        let waiting = thumbnail("removed", 0)
        try await eventually("one queued look-up", of: { try await lookUps("queued") }, satisfies: { $0 == 1 })
        _ = gated.server.galleries.remove("removed")
        gate.open()
        for one in before { #expect(try await one.value.status != 200) }
        let answer = try await waiting.value
        let other = try await thumbnail("gated", 0).value
        #expect(answer.status == other.status && answer.json["detail"] == other.json["detail"], "\(answer.json)")
        await gated.stop()
    }
}
