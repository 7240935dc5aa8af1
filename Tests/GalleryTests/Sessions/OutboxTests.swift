import MicroHTTP
import TestSupport
import Testing
import Threads

@testable import Gallery

@Suite(.timeLimit(.minutes(1)))
struct OutboxTests {
    @Test("while a stream is written to nobody waits for the lock, and what is put down meanwhile comes in order")
    func order() async throws {
        let (streams, opened) = AsyncStream.makeStream(of: EventStream.self)
        var router = Router()
        router.on(.get, "/events") { _ in .events { opened.yield($0) } }
        let server = Server(router)
        let port = try server.start()
        let reader = try EventReader(port, "/events", receiveBuffer: 4096)
        var found: EventStream?
        for await stream in streams {
            found = stream
            break
        }
        let stream = try #require(found)
        let events = GalleryEvents()
        let filler = Array(("\"" + String(repeating: "a", count: 64 << 10) + "\"").utf8)
        #expect(events.attach(stream, hello: filler, limit: 1))
        var sent = 1
        while stream.pressure.count < 4 {
            events.tell("gallery", key: UInt64(sent), filler)
            sent += 1
        }
        let threads = BlockingThreads("test", count: 2, limit: 2)
        let (stuck, isLocked) = (TestGate(), TestGate())
        // Under the stream's lock: what writes to it waits.
        threads.start {
            stream.discard { _ in
                stuck.pass()
                return false
            }
        }
        await stuck.arrival()
        isLocked.open()
        @Sendable func locked() -> [UInt8] {
            isLocked.pass()
            return Array("1".utf8)
        }
        async let told: Void = threads.run { events.tell("gallery", locked()) }
        await isLocked.arrival()
        #expect(events.streamCount == 1)
        // Another one may find it unwritten, and leaves it what it has.
        events.tell("gallery", Array("2".utf8))
        stuck.open()
        try await told
        sent += 2
        #expect(try (1...sent).map { _ in try reader.next().id } == Array(1...sent))
        reader.leave()
        await server.shutdown(grace: .seconds(2))
    }
}
