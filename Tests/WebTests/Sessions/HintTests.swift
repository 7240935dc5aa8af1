import Catalog
import Demo
import Fetch
import Gallery
import JSON
import Media
import Store
import Synchronization
import TaskPool
import TestSupport
import Testing
import Thumbnails
import Viewport

/// The viewport model uses the progress of downloads and the shapes of pictures.
@Suite(.timeLimit(.minutes(2)))
struct HintTests {
    /// Delivers a share of each picture, and then waits until the task is cancelled.
    private final class Holding: Fetcher {
        /// Percentages for the first, the second, and all further pictures.
        let shares: [Int]
        let began: AsyncStream<String>
        let cancelled: AsyncStream<String>
        private let sayBegan: AsyncStream<String>.Continuation
        private let sayCancelled: AsyncStream<String>.Continuation
        private let count = Mutex(0)

        init(percent: Int...) {
            shares = percent
            (began, sayBegan) = AsyncStream.makeStream()
            (cancelled, sayCancelled) = AsyncStream.makeStream()
        }

        func fetch(
            _ request: FetchRequest, onBytes: (@Sendable (Int, Int?) -> Void)?
        ) async throws(FetchError) -> FetchResponse {
            count.withLock { count in
                onBytes?(shares[min(count, shares.count - 1)] * 1000, 100_000)
                sayBegan.yield(request.url)
                count += 1
            }
            let (never, end) = AsyncStream<Void>.makeStream()
            await withTaskCancellationHandler {
                for await _ in never {}
            } onCancel: {
                end.finish()
            }
            sayCancelled.yield(request.url)
            throw .cancelled
        }

        func shutdown() async {}
    }

    /// The item of a URL, which ends with the item's number from 1.
    private func item(_ url: String) throws -> Int { try #require(Int(url.split(separator: "+").last ?? "")) - 1 }

    @Test("a nearly finished download survives leaving the window, and one just begun is cancelled")
    func nearlyDone() async throws {
        // The first two of the four downloads in flight are nearly finished.
        let fetcher = Holding(percent: 90, 90, 2)
        let galleries = GalleryList()
        let gallery = try galleries.add(DemoCatalog(itemCount: 10_000, origin: "http://example.com"), id: "demo")
        let store = ThumbnailStore(StoreConfiguration(directory: nil))
        let renderer = Renderer(WorkerConfiguration(executable: LookaheadProcess.executable))
        let transfers = TransferMeter()
        var limits = TaskPoolLimits()
        limits.fetch = 4
        limits.fetchPerHost = 4
        let service = ThumbnailService(
            limits: limits,
            maker: ThumbnailMaker(
                items: galleries, store: store, fetcher: fetcher, renderer: renderer, transfers: transfers),
            store: store, transfers: transfers)
        let options = LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180))
        let session = Session(
            gallery: PictureGallery.Use(gallery), content: gallery.content, lane: nil, thumbnails: service,
            layout: gallery.content.makeLayout(options, width: 600),
            viewport: Size(width: 600, height: 360),
            pixelRatio: 1, options: options, policy: .lookahead, prefetching: true, start: .scrollTop(0), name: "",
            maxUpdates: 1000)
        session.open()
        var began: [Int] = []
        for await url in fetcher.began {
            began.append(try item(url))
            if began.count == 4 { break }
        }
        let plan = try JSON.parse(
            session.plan(after: ViewportUpdate(seq: 1, time: 40, scrollTop: 700, phase: .jump)))
        let cancel = try #require(plan["cancel"]?.array).compactMap(\.integer)
        #expect(cancel.contains(began[2]) && cancel.contains(began[3]))
        #expect(!cancel.contains(began[0]) && !cancel.contains(began[1]))
        var cancelled: Set<Int> = []
        for await url in fetcher.cancelled {
            cancelled.insert(try item(url))
            if cancelled.count == 2 { break }
        }
        #expect(cancelled == Set(began[2...]))
        let key = ThumbnailKey(content: gallery.content.serial, item: began[0], size: session.screen.size)
        #expect(transfers.progress(of: key) == 0.9)
        session.close(reason: "over")
        await service.pool.shutdown()
        await renderer.shutdown()
    }

    @Test("the layout changes when a picture's shape becomes known, and keeps the top item in place")
    func shapes() async throws {
        let api = try await APIFixture(hidesSizes: true)
        let layout: JSON = ["kind": "justified", "rowHeight": 180]
        let session = try api.session(height: 200, ["layout": layout, "prefetching": false])
        let id = try APIFixture.id(session)
        func frames() throws -> [Double] {
            try api.call("GET", "sessions/\(id)/layout?from=0&to=12").json["frames"]?.array?.compactMap(\.number) ?? []
        }
        let before = try frames()
        #expect(abs(before[2] / before[3] - 1.5) < 0.01, "the default shape of an unknown picture")
        // The second row, with a quarter of its height out of sight.
        let (row, top) = try #require((0..<12).map { ($0, before[$0 * 4 + 1]) }.first { $0.1 > 0 })
        let height = before[row * 4 + 3]
        let events = try api.events(session)
        _ = try api.call(
            "POST", "sessions/\(id)/viewport",
            ["seq": 1, "time": 0, "scrollTop": .number(top + height / 4), "phase": "jump"])
        _ = try events.next("thumbnail") { $0["item"]?.integer == row }
        _ = try events.next("layout")
        let changed = try api.call("PATCH", "sessions/\(id)", ["layout": layout]).json
        let after = try frames()
        #expect(after != before)
        let seen = try api.call("GET", "galleries/pictures/items?from=\(row)&count=1").json["items"]?.array?[0]
        let ratio = try #require(seen?["width"]?.number) / (try #require(seen?["height"]?.number))
        #expect(abs(after[row * 4 + 2] / after[row * 4 + 3] - ratio) < 0.01)
        let scrollTop = try #require(changed["viewport"]?["scrollTop"]?.number)
        #expect(abs((scrollTop - after[row * 4 + 1]) / after[row * 4 + 3] - 0.25) < 0.01)
    }
}
