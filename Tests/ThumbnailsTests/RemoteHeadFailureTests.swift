import Catalog
import Demo
import Fetch
import Gallery
import Media
import Store
import Synchronization
import TaskPool
import TestSupport
import Testing
import Thumbnails

@Suite(.timeLimit(.minutes(1)))
struct RemoteHeadFailureTests {
    /// A host that fails range requests and serves whole files.
    private final class Stumbling: Fetcher {
        private let body: [UInt8]
        private let failure: FetchError
        let requests = Mutex<[Bool]>([])

        init(_ body: [UInt8], failure: FetchError) { (self.body, self.failure) = (body, failure) }

        func fetch(
            _ request: FetchRequest, onBytes: (@Sendable (Int, Int?) -> Void)?
        ) async throws(FetchError) -> FetchResponse {
            let requestsRange = request.beginning?.requestsRange == true
            requests.withLock { $0.append(requestsRange) }
            if requestsRange { throw failure }
            onBytes?(body.count, body.count)
            return FetchResponse(
                status: 200, headers: [:], body: body, url: request.url, remote: nil, reusedConnection: false,
                isHTTP2: false, redirects: 0, resumedAt: 0, stoppedEarly: false, wireBytes: body.count, firstByte: 1,
                total: 2)
        }

        func shutdown() async {}
    }

    /// Runs `body` with a service that has seen large files of such a host.
    private func stumbling(
        _ failure: FetchError, _ body: (ThumbnailService, ThumbnailKey, Stumbling) async throws -> Void
    ) async throws {
        let fetcher = Stumbling(Picture.jpeg(400, 300), failure: failure)
        let galleries = GalleryList()
        let gallery = try galleries.add(DemoCatalog(itemCount: 1, origin: "http://example.com"), id: "demo")
        let renderer = Renderer(WorkerConfiguration(executable: LookaheadProcess.executable))
        let store = ThumbnailStore(StoreConfiguration(directory: nil))
        let transfers = TransferMeter()
        let previews = PreviewReader(renderer.pool)
        previews.remoteFiles.withLock { $0.came(from: "example.com:80", size: 4_000_000, hasPreview: true) }
        let service = ThumbnailService(
            limits: TaskPoolLimits(),
            maker: ThumbnailMaker(
                items: galleries, store: store, fetcher: fetcher, renderer: renderer, transfers: transfers,
                previews: previews),
            store: store, transfers: transfers)
        let size = ThumbnailSize(width: 160, height: 0)
        try await body(
            service, ThumbnailKey(content: gallery.content.serial, item: 0, size: size), fetcher)
        await service.pool.shutdown()
        await renderer.shutdown()
    }

    @Test(
        "a picture is requested whole if its range request fails",
        arguments: [
            FetchError.status(404, retryAfter: nil), .status(500, retryAfter: nil), .transport("reset"),
            .truncated(received: 3, expected: 69_632),
        ])
    func fallsThrough(failure: FetchError) async throws {
        try await stumbling(failure) { service, key, fetcher in
            let thumbnail = try await service.thumbnail(key, host: 1)
            #expect(thumbnail.sourceWidth == 400)
            #expect(fetcher.requests.withLock { $0 } == [true, false])
        }
    }

    @Test("a range request that times out fails, and the next request is for the whole picture")
    func timesOut() async throws {
        try await stumbling(.timeout(.idle)) { service, key, fetcher in
            let picture = try service.maker.picture(of: key)
            #expect(service.maker.choice(for: picture) == .beginning(requestsRange: true))
            await #expect(throws: ItemFailure.self) { try await service.thumbnail(key, host: 1) }
            #expect(fetcher.requests.withLock { $0 } == [true])
            #expect(service.maker.choice(for: picture) == .whole)
        }
    }
}
