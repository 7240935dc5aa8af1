import Gallery
import MicroHTTP
import TestSupport
import Testing
import Threads

@Suite(.timeLimit(.minutes(1)))
struct OutboxTests {
    @Test("queued events are written in order before the stream closes")
    func writing() async throws {
        let (server, reader, stream) = try await opened()
        var outbox = Outbox()
        #expect(outbox.isEmpty)
        let events = (1...3).map { Event(name: "x", id: "\($0)", data: "1") }
        for event in events.dropLast() { outbox.put(event, to: stream) }
        outbox.close(stream, bye: events[2])
        #expect(!outbox.isEmpty && outbox.bytes(for: stream) == events.reduce(0) { $0 + $1.frame.count })
        outbox.write()
        #expect(try (0..<3).map { _ in try reader.next().id } == [1, 2, 3])
        #expect(reader.seesEnd())
        await server.shutdown(grace: .seconds(2))
    }

    /// Opens a stream and its reader.
    private func opened() async throws -> (server: Server, reader: EventReader, stream: EventStream) {
        let (streams, opened) = AsyncStream.makeStream(of: EventStream.self)
        var router = Router()
        router.on(.get, "/events") { _ in .stream(.events { opened.yield($0) }) }
        let server = Server(router)
        let reader = try EventReader(try server.start(), "/events", receiveBuffer: 4096)
        var found: EventStream?
        for await stream in streams {
            found = stream
            break
        }
        return (server, reader, try #require(found))
    }

    @Test("writing to a blocked stream does not hold the lock and keeps the order")
    func order() async throws {
        let (server, reader, stream) = try await opened()
        let events = GalleryEvents()
        let filler = Array(("\"" + String(repeating: "a", count: 64 << 10) + "\"").utf8)
        #expect(events.attach(stream, hello: filler, limit: 1))
        var sent = 1
        while stream.pressure.count < 4 {
            events.send("gallery", key: UInt64(sent), filler)
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
        async let told: Void = threads.run { events.send("gallery", locked()) }
        await isLocked.arrival()
        #expect(events.streamCount == 1)
        // This event may still be unwritten when the next thread queues its own.
        events.send("gallery", Array("2".utf8))
        stuck.open()
        try await told
        sent += 2
        #expect(try (1...sent).map { _ in try reader.next().id } == Array(1...sent))
        reader.leave()
        await server.shutdown(grace: .seconds(2))
    }
}
