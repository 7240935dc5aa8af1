import Catalog
import Synchronization
import TaskPool
import Testing

@testable import Gallery

@Suite(.serialized, .timeLimit(.minutes(2)))
struct RetryTests {
    @Test("a picture that is refused with Retry-After comes when it is asked for again, no sooner than asked")
    func unavailable() async throws {
        let fixture = try DownloadFixture(failureRate: 0.5)
        let item = try #require(fixture.item(.unavailable))
        let thumbnail = try await fixture.service.thumbnail(fixture.key(item), host: 1)
        #expect(thumbnail.width >= 128)
        let tries = fixture.origin.log.entries.filter { $0.item == item }
        #expect(tries.map(\.outcome) == [.failed, .failed, .completed])
        for (first, second) in zip(tries, tries.dropFirst()) { #expect(second.began - first.ended >= 990) }
        #expect(fixture.service.pool.counts.retries == 2)
        await fixture.stop()
    }

    @Test("a picture that breaks off each time is tried so often and no more, and may be asked for again")
    func truncated() async throws {
        let fixture = try DownloadFixture(failureRate: 0.5) {
            $0.hosts.retry.base = 1
            $0.hosts.breaker.rest = 1
        }
        let item = try #require(fixture.item(.truncated))
        for round in 1...2 {
            await #expect { try await fixture.service.thumbnail(fixture.key(item), host: 1) } throws: {
                ($0 as? ItemFailure)?.retryable == true
            }
            // The origin writes down a try when it is over, which may be after its client knows.
            await fixture.origin.waitForLog { $0.failed >= 3 * round }
            #expect(fixture.requests(item) == 3 * round)
        }
        await fixture.stop()
    }

    @Test("a picture that is none is downloaded once, and remembered in every size")
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
        await fixture.origin.waitForLog { $0.open == 0 }
        #expect(fixture.requests(item) == 1)
        await fixture.stop()
    }

    @Test("a picture that waits for its next try holds no slot, and is dropped when nobody wants it any more")
    func resting() async throws {
        let fixture = try DownloadFixture(failureRate: 0.5) { $0.fetch = 1 }
        let bad = try #require(fixture.item(.unavailable)), good = try #require(fixture.item(nil))
        let (finished, continuation) = AsyncStream<Int>.makeStream()
        let session = fixture.service.open { key, _ in continuation.yield(key.item) }
        fixture.want([bad, good], session: session)
        // Its one slot is free as soon as the first has failed.
        for await item in finished {
            #expect(item == good)
            break
        }
        #expect(fixture.service.pool.counts.resting == 1)
        fixture.service.close(session)
        #expect(fixture.service.pool.counts.resting == 0)
        #expect(fixture.service.pool.counts.cancelledQueued == 1)
        #expect(fixture.requests(bad) == 1)
        await fixture.stop()
    }

    @Test("a host that is gone is left alone after so many failures, whatever is wanted of it")
    func goneHost() async throws {
        let fixture = try DownloadFixture {
            $0.hosts.retry.base = 1
            $0.hosts.breaker.rest = 10
        }
        await fixture.origin.stop()
        let failures = Mutex(0)
        let (enough, continuation) = AsyncStream<Void>.makeStream()
        let session = fixture.service.open { _, _ in
            if failures.withLock({
                $0 += 1; return $0
            }) == 1 {
                continuation.yield()
            }
        }
        fixture.want(Array(0..<100), session: session)
        for await _ in enough { break }
        // Those under way when it was found out, with their tries; not a hundred.
        #expect(fixture.service.pool.counts.started.fetch < 40)
        #expect(fixture.service.pool.counts.queued.fetch > 50)
        fixture.service.close(session)
        await fixture.stop()
    }
}
