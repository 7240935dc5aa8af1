import Glibc
import Media
import ServerFixtures
import TaskPool
import TestSupport
import Testing
import Thumbnails

@Suite(.serialized, .timeLimit(.minutes(2)))
struct UnrenderedPicturesTests {
    private func picture(_ bytes: Int) -> PictureBytes { PictureBytes(bytes: [UInt8](repeating: 7, count: bytes)) }

    @Test(
        "downloaded pictures over the limit are evicted, the oldest first, and a larger one is not stored")
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

    @Test("a limit of 0 stores no pictures")
    func none() {
        let pictures = UnrenderedPictures(limit: 0)
        pictures.keep(picture(1), for: "a")
        #expect(pictures.picture(for: "a") == nil && pictures.bytes == 0)
    }

    @Test(
        "a picture cancelled before its rendering is not downloaded again"
    )
    func downloadedOnce() async throws {
        let fixture = try DownloadFixture(workers: 1) { $0.render = 1 }
        let (first, busy, item) = (0, 1, 2)
        _ = try await fixture.service.thumbnail(fixture.key(first), host: 1)
        let worker = try #require(fixture.renderer.pool.processes.first)
        kill(worker, SIGSTOP)
        let session = fixture.service.open { _, _ in }
        fixture.want([busy], session: session)
        try await eventually("a picture in the worker") { fixture.service.pool.counts.running.render == 1 }
        fixture.want([busy, item], session: session)
        try await eventually("a queued picture") { fixture.service.pool.counts.queued.render == 1 }
        fixture.want([busy], session: session)
        #expect(fixture.service.pool.counts.cancelledQueued == 1 && fixture.maker.unrendered.bytes > 0)
        kill(worker, SIGCONT)
        _ = try await fixture.service.thumbnail(fixture.key(item), host: 1)
        try await fixture.origin.waitForLog { $0.open == 0 }
        #expect(fixture.requests(item) == 1)
        #expect(fixture.maker.unrendered.bytes == 0 && fixture.service.keptCount == 1)
        await fixture.stop()
    }
}
