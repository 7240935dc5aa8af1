import Catalog
import Gallery
import ServerFixtures
import TestSupport
import Testing
import Threads
import Thumbnails
import Web

/// The end of an upload, as reported to listeners.
@Suite("Ends of uploads", .timeLimit(.minutes(1)))
struct UploadEndTests {
    private static let line = Array("{\"url\":\"http://example.com/1.jpg\"}\n".utf8)

    private struct News {
        let gated: GatedServer
        let reader: EventReader
        let thread = BlockingThreads("test", count: 1, limit: 1)

        init() async throws {
            gated = try await GatedServer()
            reader = try EventReader(gated.port, "/api/v1/events")
            _ = try reader.next("hello")
        }

        func upload(_ title: String) -> ListUpload {
            ListUpload(
                ListReader(format: .ndjson, stopsAtFirstProblem: true), title: title, totalBytes: nil,
                share: ByteBudget(limit: 1 << 20).share(), galleryEvents: gated.server.galleryEvents)
        }

        func stop() async {
            thread.shutdown()
            await gated.stop()
        }

        /// The states reported of an upload so far.
        func states(of title: String) throws -> [String] {
            upload("last").abandon()
            var states: [String] = []
            while true {
                let data = try reader.next("upload").data
                if data["title"] == "last" { return states }
                if data["title"]?.string == title, let state = data["state"]?.string { states.append(state) }
            }
        }
    }

    @Test("an upload abandoned while a piece is read is reported once the piece is done")
    func piece() async throws {
        let news = try await News()
        let (thread, gate) = (news.thread, TestGate())
        let upload = news.upload("a")
        async let piece: Void = thread.run {
            upload.working { _ in
                gate.pass()
                return ((), false)
            }
        }
        await gate.arrival()
        upload.abandon()
        upload.abandon()
        #expect(try news.states(of: "a").isEmpty)
        gate.open()
        try await piece
        #expect(try news.states(of: "a") == ["abandoned"])
        await news.stop()
    }

    @Test("an upload abandoned while its list is finished reports only the list's result")
    func finish() async throws {
        let news = try await News()
        let (thread, gate) = (news.thread, TestGate())
        let upload = news.upload("b")
        #expect(upload.feed(Self.line) == nil)
        async let finished: Void = thread.run {
            _ = try? upload.finish { _ throws(Problem) in
                gate.pass()
                throw .viewOnly
            }
        }
        await gate.arrival()
        upload.abandon()
        gate.open()
        try await finished
        #expect(try news.states(of: "b") == ["receiving", "refused"])
        await news.stop()
    }

    @Test("a refused upload is not reported as abandoned, and an abandoned one is reported once")
    func ends() async throws {
        let news = try await News()
        let refused = news.upload("c")
        #expect(refused.feed(Array("nothing\n".utf8)) != nil)
        refused.abandon()
        #expect(try news.states(of: "c") == ["refused"])
        let left = news.upload("d")
        #expect(left.feed(Self.line) == nil)
        left.abandon()
        left.abandon()
        #expect(try news.states(of: "d") == ["receiving", "abandoned"])
        await news.stop()
    }
}
