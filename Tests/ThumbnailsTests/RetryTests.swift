import Catalog
import Gallery
import Glibc
import ServerFixtures
import TaskPool
import TestSupport
import Testing
import Threads
import Thumbnails

@Suite(.serialized, .timeLimit(.minutes(2)))
struct RetryTests {
    @Test("a picture refused with Retry-After is requested again after that time")
    func unavailable() async throws {
        let fixture = try DownloadFixture(failureRate: 0.5)
        let item = try #require(fixture.item(.unavailable))
        let outcome = Promise<ThumbnailService.Outcome>()
        let session = fixture.service.open { _, made in outcome.resolve(made) }
        fixture.want([item], session: session)
        #expect(try await outcome.value {}.get().thumbnail.width >= 128)
        fixture.service.close(session)
        let tries = fixture.origin.log.entries.filter { $0.item == item }
        #expect(tries.map(\.outcome) == [.failed, .failed, .completed])
        for (first, second) in zip(tries, tries.dropFirst()) { #expect(second.began - first.ended >= 990) }
        #expect(fixture.service.pool.counts.retries == 2)
        await fixture.stop()
    }

    @Test("a truncated picture is tried three times, and three times again on the next request")
    func truncated() async throws {
        let fixture = try DownloadFixture(failureRate: 0.5) {
            $0.hosts.retry.base = 1
            $0.hosts.breaker.failures = 100
        }
        let item = try #require(fixture.item(.truncated))
        for round in 1...2 {
            await #expect { try await fixture.service.thumbnail(fixture.key(item), host: 1) } throws: {
                ($0 as? ItemFailure)?.retryable == true
            }
            // The origin logs a request at its end, which may be after the client's error.
            try await fixture.origin.waitForLog { $0.failed >= 3 * round }
            #expect(fixture.requests(item) == 3 * round)
        }
        await fixture.stop()
    }

    @Test("a broken picture is downloaded once, and its failure applies to every size")
    func broken() async throws {
        let fixture = try DownloadFixture(failureRate: 0.5)
        let item = try #require(fixture.item(.broken))
        var key = fixture.key(item)
        for side in [128, 256] {
            key.size.width = side
            await #expect { try await fixture.service.thumbnail(key, host: 1) } throws: {
                ($0 as? ItemFailure)?.retryable == false
            }
        }
        try await fixture.origin.waitForLog { $0.open == 0 }
        #expect(fixture.requests(item) == 1)
        await fixture.stop()
    }

    @Test("a picture that takes too long at one size is shown at another")
    func tooSlow() async throws {
        let fixture = try DownloadFixture(workers: 1)
        _ = try await fixture.service.thumbnail(fixture.key(1), host: 1)
        let worker = try #require(fixture.renderer.pool.processes.first)
        var large = fixture.key(0)
        large.size.width = 1_600
        // A stopped worker stays in the middle of its picture. The signal then ends it as its own timer would.
        kill(worker, SIGSTOP)
        async let failure = failure(large, of: fixture)
        try await eventually("a picture in work") { fixture.renderer.load.running > 0 }
        kill(worker, SIGPROF)
        kill(worker, SIGCONT)
        let slow = try #require(await failure)
        #expect(slow.retryable && slow.retryAfter == 60 && slow.reason.hasPrefix("took longer"))
        fixture.service.forgetFailure(of: large)
        #expect(await self.failure(large, of: fixture)?.reason == slow.reason)
        #expect(fixture.service.pool.counts.started.render == 2)
        _ = try await fixture.service.thumbnail(fixture.key(0), host: 1)
        await fixture.stop()
    }

    private func failure(_ key: ThumbnailKey, of fixture: DownloadFixture) async -> ItemFailure? {
        do throws(ItemFailure) {
            _ = try await fixture.service.thumbnail(key, host: 1)
            return nil
        } catch {
            return error
        }
    }

    @Test("a picture waiting for its retry holds no slot, and is cancelled when its session closes")
    func resting() async throws {
        let fixture = try DownloadFixture(failureRate: 0.5) { $0.fetch = 1 }
        let bad = try #require(fixture.item(.unavailable)), good = try #require(fixture.item(nil))
        let (finished, continuation) = AsyncStream<Int>.makeStream()
        let session = fixture.service.open { key, _ in continuation.yield(key.item) }
        fixture.want([bad, good], session: session)
        // The only slot is free as soon as the first picture has failed.
        for await item in finished {
            #expect(item == good)
            break
        }
        #expect(fixture.service.pool.counts.waiting == 1)
        fixture.service.close(session)
        #expect(fixture.service.pool.counts.waiting == 0)
        #expect(fixture.service.pool.counts.cancelledQueued == 1)
        #expect(fixture.requests(bad) == 1)
        await fixture.stop()
    }

    @Test("a single request to a paused host is refused at once, with the time until the next try")
    func refused() async throws {
        let fixture = try DownloadFixture {
            $0.hosts.retry.base = 1
            $0.hosts.breaker.pause = 120_000
        }
        let stored = try #require(fixture.item(nil))
        _ = try await fixture.service.thumbnail(fixture.key(stored), host: 1)
        await fixture.origin.stop()
        // The loop pauses the host before all tries are used.
        var refusals = 0
        for item in 0..<8 where item != stored {
            await #expect { try await fixture.service.thumbnail(fixture.key(item), host: 1) } throws: {
                guard let failure = $0 as? ItemFailure, failure.retryable else { return false }
                if let seconds = failure.retryAfter {
                    refusals += 1
                    return (60...150).contains(seconds)
                }
                return true
            }
        }
        #expect(refusals >= 6)
        #expect(fixture.service.pool.counts.started.fetch <= 7)
        #expect(fixture.service.pool.counts.waiting == 0)
        // A stored thumbnail is served while its host is paused.
        _ = try await fixture.service.thumbnail(fixture.key(stored), host: 1)
        await fixture.stop()
    }

    @Test("a host that accepts connections but never responds is tried once and paused")
    func silentHost() async throws {
        let fixture = try DownloadFixture(idleTimeout: 200) { $0.hosts.breaker.pause = 120_000 }
        let held = try ScriptedOrigin.heldDemo()
        let (key, host) = try fixture.picture(from: held.port)
        try await expectOneTry(key, host, of: fixture)
        #expect(held.demoRequests == [0: 1])
        await held.stop()
        await fixture.stop()
    }

    @Test("a host that accepts no connection is tried once and paused")
    func fullBacklog() async throws {
        let wall = try SilentListener()
        let fixture = try DownloadFixture(connectTimeout: 100) { $0.hosts.breaker.pause = 120_000 }
        let (key, host) = try fixture.picture(from: wall.port)
        try await expectOneTry(key, host, of: fixture)
        await fixture.stop()
        wall.close()
    }

    /// Requests a thumbnail twice. The first request fails after one download, the second before any.
    private func expectOneTry(_ key: ThumbnailKey, _ host: Int, of fixture: DownloadFixture) async throws {
        for _ in 0..<2 {
            await #expect { try await fixture.service.thumbnail(key, host: host) } throws: {
                ($0 as? ItemFailure)?.retryable == true
            }
        }
        #expect(fixture.fetcher.counts.started == 1 && fixture.service.pool.counts.retries == 0)
        #expect(fixture.service.pool.pause(host: host) != nil)
    }

    @Test("a single download is cancelled when its request is, unless a session wants the picture")
    func release() async throws {
        let fixture = try DownloadFixture(latency: 60_000)
        let alone = Task { try? await fixture.service.thumbnail(fixture.key(1), host: 1) }
        let shared = Task { try? await fixture.service.thumbnail(fixture.key(2), host: 1) }
        let session = fixture.service.open { _, _ in }
        fixture.want([2], session: session)
        try await eventually("two downloads", of: { fixture.service.pool.counts.running.fetch }, satisfies: { $0 == 2 })
        alone.cancel()
        shared.cancel()
        #expect(await alone.value == nil)
        #expect(await shared.value == nil)
        try await eventually("one download", of: { fixture.service.pool.counts.running.fetch }, satisfies: { $0 <= 1 })
        #expect(fixture.service.pool.counts.cancelledRunning == 1)
        fixture.service.close(session)
        await fixture.stop()
    }

    @Test("a stopping server ends every waiting request for a thumbnail")
    func stopping() async throws {
        let fixture = try DownloadFixture(latency: 60_000) { $0.fetch = 1 }
        let waiting = (0..<6).map { item in
            Task { try? await fixture.service.thumbnail(fixture.key(item), host: 1) }
        }
        try await eventually(
            "five queued downloads", of: { fixture.service.pool.counts.queued.fetch }, satisfies: { $0 == 5 })
        await fixture.stop()
        for task in waiting { #expect(await task.value == nil) }
        // A request after the stop.
        await #expect(throws: ItemFailure.cancelled) {
            try await fixture.service.thumbnail(fixture.key(9), host: 1)
        }
    }

    @Test("a dead host is paused after a few failures, however many pictures are queued")
    func goneHost() async throws {
        let fixture = try DownloadFixture {
            $0.hosts.retry.base = 1
            $0.hosts.breaker.pause = 60_000
        }
        await fixture.origin.stop()
        let session = fixture.service.open { _, _ in }
        fixture.want(Array(0..<100), session: session)
        // Counts the failures that pause the host and the tries in flight by then, not all hundred.
        let counts = try await eventually(
            "a paused host", of: { fixture.service.pool.counts },
            satisfies: { $0.started.fetch >= CircuitBreaker.Settings().failures && $0.running.fetch == 0 })
        #expect(counts.started.fetch < 40)
        #expect(counts.queued.fetch > 50)
        fixture.service.close(session)
        await fixture.stop()
    }
}
