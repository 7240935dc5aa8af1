import Catalog
import Demo
import Fetch
import Gallery
import Media
import Store
import TaskPool
import TestSupport
import Testing
import Thumbnails

@Suite(.timeLimit(.minutes(1)))
struct ProgressiveDownloadTests {
    /// Returns one body piece by piece, and stops when the caller has enough.
    private struct Pieces: Fetcher {
        let body: [UInt8]

        func fetch(
            _ request: FetchRequest, onBytes: (@Sendable (Int, Int?) -> Void)?
        ) async throws(FetchError) -> FetchResponse {
            var count = 0
            var isEnough = false
            while count < body.count, !isEnough {
                count = min(count + 4096, body.count)
                onBytes?(count, body.count)
                isEnough = request.isEnough?(Array(body[..<count]).span, body.count) ?? false
            }
            return FetchResponse(
                status: 200, headers: [:], body: Array(body[..<count]), url: request.url, remote: nil,
                reusedConnection: false, isHTTP2: false, redirects: 0, resumedAt: 0, stoppedEarly: isEnough,
                wireBytes: count, firstByte: 1, total: 2)
        }

        func shutdown() async {}
    }

    private static func noise(_ width: Int, _ height: Int) -> [UInt32] {
        var state: UInt64 = 1
        return (0..<width * height).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt32(truncatingIfNeeded: state >> 40)
        }
    }

    @Test("a progressive picture's download ends with the bytes that its thumbnail needs")
    func stops() async throws {
        let picture = try #require(
            DemoPicture.encode(Self.noise(1600, 1200), width: 1600, height: 1200, quality: 85, isProgressive: true))
        let galleries = GalleryList()
        let gallery = try galleries.add(DemoCatalog(itemCount: 1, origin: "http://example.com"), id: "demo")
        let renderer = Renderer(WorkerConfiguration(executable: LookaheadProcess.executable))
        let store = ThumbnailStore(StoreConfiguration(directory: nil))
        let transfers = TransferMeter()
        let service = ThumbnailService(
            limits: TaskPoolLimits(),
            maker: ThumbnailMaker(
                items: galleries, store: store, fetcher: Pieces(body: picture), renderer: renderer,
                transfers: transfers),
            store: store, transfers: transfers)
        let size = ThumbnailSize(width: 160, height: 0)
        let key = ThumbnailKey(content: gallery.content.serial, item: 0, size: size)
        let thumbnail = try await service.thumbnail(key, host: 1)
        #expect(transfers.totals.bytes < picture.count / 2, "\(transfers.totals.bytes) of \(picture.count)")
        #expect(try await renderer.render(picture, size: size).bytes == thumbnail.bytes)
        await service.pool.shutdown()
        await renderer.shutdown()
    }
}
