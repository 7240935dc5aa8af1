import Gallery
import Pipeline
import TaskPool
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct UnrenderedPicturesTests {
    private func picture(_ bytes: Int) -> PictureBytes { PictureBytes(bytes: [UInt8](repeating: 7, count: bytes)) }

    @Test("what came first makes room; what was rendered is gone; what is too large is not kept")
    func bound() {
        let pictures = UnrenderedPictures(limit: 100)
        for key in ["a", "b", "c"] { pictures.keep(picture(40), for: key) }
        #expect(pictures.picture(for: "a") == nil && pictures.picture(for: "b") != nil)
        pictures.remove("b")
        #expect(pictures.picture(for: "b") == nil && pictures.bytes == 40)
        pictures.keep(picture(101), for: "d")
        #expect(pictures.picture(for: "d") == nil && pictures.bytes == 40)
        pictures.keep(picture(60), for: "c")
        #expect(pictures.bytes == 60)
        for number in 0..<10_000 { pictures.keep(picture(1 + number % 90), for: "\(number % 17)") }
        #expect(pictures.bytes <= 100)
    }

    @Test("a limit of 0 keeps none")
    func none() {
        let pictures = UnrenderedPictures(limit: 0)
        pictures.keep(picture(1), for: "a")
        #expect(pictures.picture(for: "a") == nil && pictures.bytes == 0)
    }

    @Test(
        "a picture that was let go before it was rendered is not downloaded again, and one that was rendered is not kept"
    )
    func downloadedOnce() async throws {
        let fixture = try DownloadFixture()
        let item = try #require(fixture.item(nil))
        let picture = try fixture.runner.picture(of: fixture.key(item))
        func fetch() async -> ThumbnailWork? {
            await fixture.runner.run(
                Ticket(key: fixture.key(item), host: 1, stage: .fetch, serial: 1, slot: 0),
                carrying: .absent(picture)
            ).carried
        }
        let first = await fetch(), second = await fetch()
        guard case .picture(let came, _) = first, case .picture(let again, _) = second else {
            Issue.record("no picture came")
            return
        }
        #expect(came.bytes == again.bytes)
        await fixture.origin.waitForLog { $0.open == 0 }
        #expect(fixture.requests(item) == 1)
        _ = try await fixture.service.thumbnail(fixture.key(item), host: 1)
        #expect(fixture.requests(item) == 1)
        #expect(fixture.runner.unrendered.bytes == 0 && fixture.service.keptCount == 2)
        await fixture.stop()
    }
}
