import Pictures
import TaskPool
import Testing
import Thumbnails

@Suite(.timeLimit(.minutes(2))) struct RevalidationTests {
    /// The outcome of one item, wanted by a session of its own.
    private func outcome(_ fixture: DownloadFixture, _ item: Int) async -> ThumbnailService.Outcome {
        let (outcomes, continuation) = AsyncStream<ThumbnailService.Outcome>.makeStream()
        let session = fixture.service.open { _, outcome in continuation.yield(outcome) }
        defer { fixture.service.close(session) }
        fixture.want([item], session: session)
        for await outcome in outcomes { return outcome }
        return .failure(ItemFailure(reason: "nothing came", retryable: false))
    }

    @Test("an origin is asked after a while whether its picture is still the same, and sends nothing when it is")
    func unchanged() async throws {
        var settings = PictureMemorySettings()
        settings.revalidateAfter = 1e-6
        let fixture = try DownloadFixture(settings: settings)
        let first = try await outcome(fixture, 3).get()
        let second = try await outcome(fixture, 3).get()
        #expect(first.thumbnail.bytes == second.thumbnail.bytes)
        #expect((second.thumbnail.version?.confirmed ?? 0) > (first.thumbnail.version?.confirmed ?? .infinity))
        let log = await fixture.origin.waitForLog { $0.completed == 2 }
        let bytes = log.entries.map(\.totalBytes)
        #expect(bytes.count == 2 && bytes[0] > 2_000 && bytes[1] < 500)
        await fixture.stop()
    }

    @Test("within that while the origin is left alone, and a picture whose origin is away is shown as it was")
    func away() async throws {
        let fresh = try DownloadFixture()
        _ = try await outcome(fresh, 3).get()
        _ = try await outcome(fresh, 3).get()
        let log = await fresh.origin.waitForLog { $0.completed >= 1 }
        #expect(log.requests == 1)
        await fresh.stop()

        var settings = PictureMemorySettings()
        settings.revalidateAfter = 1e-6
        let fixture = try DownloadFixture(settings: settings) { $0.hosts.retry.attempts = 1 }
        let first = try await outcome(fixture, 3).get()
        await fixture.origin.stop()
        #expect(try await outcome(fixture, 3).get().thumbnail == first.thumbnail)
        await fixture.stop()
    }
}
