import Fetch
import Foundation
import Media
import MicroHTTP
import ServerFixtures
import Synchronization
import TaskPool
import TestSupport
import Testing
import Thumbnails

@Suite(.timeLimit(.minutes(2))) struct RevalidationTests {
    /// The outcome of one item in its own session.
    private func outcome(_ fixture: DownloadFixture, _ item: Int) async -> ThumbnailService.Outcome {
        let (outcomes, continuation) = AsyncStream<ThumbnailService.Outcome>.makeStream()
        let session = fixture.service.open { _, outcome in continuation.yield(outcome) }
        defer { fixture.service.close(session) }
        fixture.want([item], session: session)
        for await outcome in outcomes { return outcome }
        return .failure(ItemFailure(reason: "no outcome arrived", retryable: false))
    }

    @Test("a stale picture is revalidated with a conditional request and a 304 response")
    func unchanged() async throws {
        var settings = PictureMemorySettings()
        settings.revalidateAfter = 1e-6
        let fixture = try DownloadFixture(settings: settings)
        let origin = try CachingOrigin(cacheControl: nil)
        let picture = try fixture.picture(from: origin.port)
        let first = try await fixture.service.thumbnail(picture.key, host: picture.host)
        let second = try await fixture.service.thumbnail(picture.key, host: picture.host)
        #expect(first.bytes == second.bytes)
        #expect((second.version?.confirmed ?? 0) > (first.version?.confirmed ?? .infinity))
        #expect(origin.statuses == [200, 304])
        await origin.stop()
        await fixture.stop()
    }

    @Test("a fresh picture causes no request, and a stale one is shown if its origin is unreachable")
    func away() async throws {
        let fresh = try DownloadFixture()
        _ = try await outcome(fresh, 3).get()
        _ = try await outcome(fresh, 3).get()
        let log = try await fresh.origin.waitForLog { $0.completed >= 1 }
        #expect(log.requests == 1)
        await fresh.stop()

        var settings = PictureMemorySettings()
        settings.revalidateAfter = 1e-6
        let fixture = try DownloadFixture(settings: settings) { $0.hosts.retry.attempts = 1 }
        let origin = try CachingOrigin(cacheControl: nil)
        let picture = try fixture.picture(from: origin.port)
        let first = try await fixture.service.thumbnail(picture.key, host: picture.host)
        await origin.stop()
        #expect(try await fixture.service.thumbnail(picture.key, host: picture.host) == first)
        await fixture.stop()
    }

    @Test("a picture is fetched again after the lifetime that its origin stated", arguments: ["max-age=1", "no-cache"])
    func lifetime(_ cacheControl: String) async throws {
        let fixture = try DownloadFixture()
        let origin = try CachingOrigin(cacheControl: cacheControl)
        let picture = try fixture.picture(from: origin.port)
        let shown = Seen(), made = Seen()
        let session = fixture.service.open(onPreview: { shown.add($1.thumbnail) }) { _, outcome in
            if let finished = try? outcome.get() { made.add(finished.thumbnail) }
        }
        defer { fixture.service.close(session) }
        let first = try await fixture.service.thumbnail(picture.key, host: picture.host)
        origin.replacePicture()
        let version = try #require(first.version)
        try await eventually("the end of its lifetime") {
            version.isStale(at: Date().timeIntervalSince1970, standard: 1_000)
        }
        fixture.service.pool.want([PoolWant(key: picture.key, host: picture.host, visible: true)], session: session)
        try await eventually("the picture") { !made.all.isEmpty }
        #expect(made.all.map { $0.bytes == first.bytes } == [false])
        // The old thumbnail is shown during the request.
        #expect(shown.all.map(\.bytes) == [first.bytes])
        #expect(origin.statuses == [200, 200])
        await origin.stop()
        await fixture.stop()
    }

    @Test("the lifetime comes from the headers, and is between one second and one year")
    func headers() {
        func lifetime(_ headers: [String: String]) -> Double? {
            FetchResponse(
                status: 200, headers: headers, body: [], url: "", reusedConnection: false, isHTTP2: false, redirects: 0,
                resumedAt: 0, stoppedEarly: false, wireBytes: 0, firstByte: 0, total: 0
            ).lifetime
        }
        let date = "Mon, 01 Jan 2024 00:00:00 GMT", later = "Mon, 01 Jan 2024 00:02:00 GMT"
        #expect(lifetime([:]) == nil)
        #expect(lifetime(["cache-control": "public, Max-Age=60"]) == 60)
        #expect(lifetime(["cache-control": "max-age=60, s-maxage=\"30\"", "age": "10"]) == 20)
        #expect(lifetime(["cache-control": "max-age=60", "age": "100"]) == 1)
        #expect(lifetime(["cache-control": "max-age=60, no-cache"]) == 1)
        #expect(lifetime(["cache-control": "max-age=\(String(repeating: "9", count: 400))"]) == 31_536_000)
        let endless = String(repeating: "9", count: 400)
        #expect(lifetime(["cache-control": "max-age=\(endless)", "age": endless]) == 1)
        #expect(lifetime(["cache-control": "max-age=-1, max-age=x, max-age="]) == nil)
        #expect(lifetime(["expires": later, "date": date]) == 120)
        #expect(lifetime(["expires": date, "date": later]) == 1)
        #expect(lifetime(["expires": "0", "date": date]) == 1)
        #expect(lifetime(["expires": later]) == nil)
    }

    @Test("a version is stale after its own lifetime or the standard one, and never if the standard is 0")
    func stale() {
        var version = SourceVersion(validators: Validators(), confirmed: 100, lifetime: 10)
        #expect(!version.isStale(at: 105, standard: 1) && version.isStale(at: 111, standard: 1_000))
        #expect(version.isStale(at: 99, standard: 1_000) && !version.isStale(at: 111, standard: 0))
        version.confirm(SourceVersion(validators: Validators(etag: "\"b\""), confirmed: 120))
        #expect(version == SourceVersion(validators: Validators(etag: "\"b\""), confirmed: 120, lifetime: 10))
        version.confirm(SourceVersion(validators: Validators(), confirmed: 130, lifetime: 5))
        #expect(version == SourceVersion(validators: Validators(etag: "\"b\""), confirmed: 130, lifetime: 5))
        (version.confirmed, version.lifetime) = (100, nil)
        #expect(!version.isStale(at: 105, standard: 10) && version.isStale(at: 111, standard: 10))
    }
}

private final class Seen: Sendable {
    private let thumbnails = Mutex<[Thumbnail]>([])
    var all: [Thumbnail] { thumbnails.withLock { $0 } }
    func add(_ thumbnail: Thumbnail) { thumbnails.withLock { $0.append(thumbnail) } }
}

/// An origin of one picture, which the test can replace.
private struct CachingOrigin {
    private final class Version: Sendable { let number = Mutex(1) }

    private let version: Version
    private let scripted: ScriptedOrigin

    init(cacheControl: String?) throws {
        let version = Version()
        self.version = version
        scripted = try ScriptedOrigin { request in
            let number = version.number.withLock { $0 }
            let tag = "\"\(number)\""
            let headers =
                [("Content-Type", "image/jpeg"), ("ETag", tag)] + (cacheControl.map { [("Cache-Control", $0)] } ?? [])
            let isKnown = request.header("if-none-match") == tag
            return Response(
                status: isKnown ? 304 : 200, headers: headers,
                body: isKnown ? [] : Picture.jpeg(300, 200, red: UInt8(number * 90)))
        }
    }

    var port: UInt16 { scripted.port }

    var statuses: [Int] { scripted.statuses }

    func replacePicture() { version.number.withLock { $0 += 1 } }

    func stop() async { await scripted.stop() }
}
