import Catalog
import Gallery
import JSON
import MicroHTTP
import Numbers
import ServerFixtures
import Synchronization
import TaskPool
import TestSupport
import Testing
import Threads
import Viewport

/// Effects of a session's changes, carried out without its lock.
@Suite("Order of session effects", .timeLimit(.minutes(2)))
struct SessionOrderTests {
    private static let options = LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180))
    /// Items between the positions of two updates. More than are visible.
    private static let stride = 60

    /// Records the order in which its items are first read, mostly by the pool's wants.
    private final class NotedCatalog: CatalogItems, CatalogSource {
        let itemCount: Int
        private let order = Mutex<(seen: Set<Int>, items: [Int])>(([], []))

        init(itemCount: Int) { self.itemCount = itemCount }

        var catalog: Catalog {
            Catalog(
                kind: .list, title: "Noted", sections: [Section(title: "All", from: 0, count: itemCount)], items: self)
        }

        var aspectRatios: AspectRatios { AspectRatios(count: itemCount) { _ in 1.5 } }
        var asked: [Int] { order.withLock { $0.items } }

        func item(_ index: Int) -> Item? {
            guard 0..<itemCount ~= index else { return nil }
            order.withLock { if $0.seen.insert(index).inserted { $0.items.append(index) } }
            return Item(locator: .url("http://127.0.0.1:1/\(index)"), title: "\(index)", width: 300, height: 200)
        }
    }

    /// A single session and a server for its streams.
    private struct Fixture: Sendable {
        let gated: GatedServer
        let catalog: NotedCatalog
        let session: Session
        let layout: any Layout
        let server: Server
        let port: UInt16
        private let opened: AsyncStream<EventStream>

        init(itemCount: Int) async throws {
            gated = try await GatedServer()
            catalog = NotedCatalog(itemCount: itemCount)
            try gated.server.galleries.add(catalog, id: "noted")
            let use = try #require(gated.server.galleries.use("noted"))
            layout = use.gallery.content.makeLayout(options, width: 600)
            session = Session(
                gallery: use, content: use.gallery.content, lane: nil, thumbnails: gated.server.thumbnails,
                layout: layout, viewport: Size(width: 600, height: 360), pixelRatio: 1, options: options,
                policy: .lookahead, prefetching: false, start: .scrollTop(0), name: "", maxUpdates: 1000)
            session.open()
            let (streams, opening) = AsyncStream.makeStream(of: EventStream.self)
            opened = streams
            var router = Router()
            router.on(.get, "/events") { _ in .stream(.events { opening.yield($0) }) }
            server = Server(router)
            port = try server.start()
        }

        func stream(receiveBuffer: Int32? = nil) async throws -> (stream: EventStream, reader: EventReader) {
            let reader = try EventReader(port, "/events", receiveBuffer: receiveBuffer)
            reader.patience = 100_000
            var found: EventStream?
            for await stream in opened {
                found = stream
                break
            }
            return (try #require(found), reader)
        }

        /// Scrolls to a position derived from the sequence number.
        func post(_ seq: Int) -> [UInt8] {
            session.plan(
                after: ViewportUpdate(
                    seq: seq, time: Double(seq), scrollTop: layout.frame(of: seq * stride).y, phase: .jump))
        }

        func stop() async {
            session.close(reason: "over")
            await server.shutdown(grace: .seconds(2))
            await gated.stop()
        }
    }

    @Test("the last list of wants always matches the latest plan", arguments: 1...20)
    func value(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var state = SessionState(core: try SessionCoreTests.core(policy: "lookahead"), options: Self.options)
        var wanted: [Int]?
        var lists = 0
        func carryOut() {
            if let wants = state.effects.wants {
                wanted = wants.list.map(\.item)
                lists += 1
            }
            state.effects = SessionEffects()
            #expect(wanted == state.core.plan.wanted.map(\.item))
        }
        state.open(as: SessionID(1))
        var scrollTop = 0.0
        for seq in 1...300 {
            scrollTop = random.below(10) == 0 ? random.uniform(0...200_000) : scrollTop + random.uniform(-300...600)
            state.take(SessionCoreTests.update(seq, scrollTop: max(0, scrollTop)))
            if random.below(3) == 0 { carryOut() }
        }
        carryOut()
        #expect(lists > 50)
    }

    @Test("simultaneous posts reach the pool and the streams in order")
    func threads() async throws {
        let (count, each) = (8, 50)
        let fixture = try await Fixture(itemCount: (count * each + 2) * Self.stride)
        let (stream, reader) = try await fixture.stream()
        #expect(fixture.session.attach(stream, EventSelection(), lastEventID: 0, limit: 1))
        final class Sequence: Sendable { let last = Atomic(0) }
        let sequence = Sequence()
        let threads = BlockingThreads("test", count: count, limit: count)
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    try await threads.run {
                        for _ in 0..<each {
                            let seq = sequence.last.add(1, ordering: .relaxed).newValue
                            _ = fixture.post(seq)
                            fixture.session.galleryChanged(Array("\(seq)".utf8))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        var (ids, plans, told) = ([Int](), [Int](), Set<Int>())
        while told.count < count * each {
            let event = try reader.next()
            ids.append(try #require(event.id))
            if event.name == "plan" { plans.append(try #require(event.data["seq"]?.integer)) }
            if event.name == "gallery" { told.insert(try #require(event.data.integer)) }
        }
        // Earlier ids belong to pictures that failed before the stream was attached.
        let first = try #require(ids.first)
        #expect(ids == Array(first..<first + ids.count))
        #expect(plans == plans.sorted() && !plans.isEmpty)
        // Each update reads its first visible item before it locks, so the second item shows the order of the wants.
        let places = fixture.catalog.asked.filter { $0 % Self.stride == 1 }.map { $0 / Self.stride }
        #expect(places == places.sorted() && places.count > 1 && places.last == count * each)
        await fixture.stop()
    }

    @Test("a stalled stream delays no post, and every other stream gets all events in order")
    func stalled() async throws {
        let fixture = try await Fixture(itemCount: 200 * Self.stride)
        var readers: [EventReader] = []
        for _ in 0..<63 {
            let (stream, reader) = try await fixture.stream()
            #expect(fixture.session.attach(stream, EventSelection(only: ["gallery"]), lastEventID: 0, limit: 64))
            readers.append(reader)
        }
        let (stalled, slow) = try await fixture.stream(receiveBuffer: 4096)
        let filler = [UInt8](repeating: UInt8(ascii: "1"), count: 64 << 10)
        var key: UInt64 = 1 << 63
        while stalled.pressure.count < 4 {
            stalled.send(Event(name: "filler", data: filler, key: key))
            key += 1
        }
        #expect(fixture.session.attach(stalled, EventSelection(only: ["gallery"]), lastEventID: 0, limit: 64))
        let held = TestGate()
        let threads = BlockingThreads("test", count: 3, limit: 3)
        // Under the stream's lock: what writes to it waits.
        threads.start {
            stalled.discard { _ in
                held.pass()
                return false
            }
        }
        await held.arrival()
        async let told: Void = threads.run { [session = fixture.session] in session.galleryChanged(Array("0".utf8)) }
        // Streams are written in the order they were attached, so the writer is now at the stalled stream, or soon will be.
        #expect(try readers[62].next("gallery").data == 0)
        final class Answers: Sendable { let all = Mutex<[[UInt8]]>([]) }
        let answers = Answers()
        threads.start { [fixture] in
            for seq in 1...100 {
                let answer = fixture.post(seq)
                fixture.session.galleryChanged(Array("\(seq)".utf8))
                answers.all.withLock { $0.append(answer) }
            }
        }
        // Release the stream in any case, so a post that waits for it cannot hang the test.
        let waited = await Task {
            try await eventually("100 responses", of: { answers.all.withLock { $0.count } }, satisfies: { $0 == 100 })
        }.result
        held.open()
        try await told
        _ = try waited.get()
        let seqs = try answers.all.withLock { $0 }.map { try JSON.parse($0)["seq"]?.integer }
        #expect(seqs == Array(1...100))
        for (index, reader) in readers.enumerated() {
            let heard = try ((index == 62 ? 1 : 0)...100).map { _ in try reader.next("gallery").data.integer }
            #expect(heard == Array((index == 62 ? 1 : 0)...100))
        }
        slow.leave()
        await fixture.stop()
    }
}
