import Media
import Testing
import Thumbnails

@Suite struct FailureMemoryTests {
    private let missing = ItemFailure(reason: "the origin responded with 404", retryable: false)
    private let gone = ItemFailure(reason: "the origin responded with 410", retryable: false)

    @Test("a failure is remembered with its reason until it expires")
    func lifetime() {
        let memory = FailureMemory(capacity: 10)
        memory.note("a", missing, for: 600, now: 0)
        memory.note("b", gone, for: 10_000, now: 0)
        #expect(memory.failure(of: "a", now: 599) == missing)
        #expect(memory.failure(of: "a", now: 600) == nil)
        #expect(memory.failure(of: "b", now: 600) == gone)
        memory.note("a", gone, for: 600, now: 1_000)
        #expect(memory.failure(of: "a", now: 1_599) == gone)
    }

    private let slow = ItemFailure(reason: "took longer than 5 s", retryable: true)

    @Test("a failure applies to its class of sizes, or to every size if it has no class")
    func sizes() {
        let memory = FailureMemory(capacity: 10)
        let classes = [1, 256, 257, 512, 1_600].map { ThumbnailSize(width: 0, height: $0).costClass }
        #expect(classes == [0, 8, 9, 9, 11])
        memory.note("a", at: 11, missing, for: 600, now: 0)
        #expect(classes.map { memory.failure(of: "a", at: $0, now: 1) != nil } == [false, false, false, false, true])
        memory.note("a", gone, for: 300, now: 0)
        #expect(classes.map { memory.failure(of: "a", at: $0, now: 1) } == Array(repeating: gone, count: 5))
        #expect(memory.failure(of: "a", at: 11, now: 300) == missing)
    }

    @Test("a time-out is remembered for a minute, doubled after each further one, up to an hour")
    func timeouts() {
        let memory = FailureMemory(capacity: 10)
        var now = 0.0
        let minutes = (0..<8).map { _ in
            let lifetime = memory.noteTimeout("a", at: 9, slow, now: now)
            #expect(memory.failure(of: "a", at: 9, now: now + lifetime - 1_500)?.retryAfter == 2)
            now += lifetime
            #expect(memory.failure(of: "a", at: 9, now: now) == nil && memory.hasTimedOut("a", at: 9))
            return lifetime / 60_000
        }
        #expect(minutes == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(memory.noteTimeout("a", at: 8, slow, now: now) == 60_000)
        memory.succeeded("a", at: 9)
        #expect(memory.noteTimeout("a", at: 9, slow, now: now) == 60_000)
        #expect(memory.noteTimeout("a", at: 9, slow, now: now + 3_660_000) == 60_000, "an hour without a time-out")
    }

    @Test("a manual retry forgets a failure at once, and a time-out after a minute")
    func forgiven() {
        let memory = FailureMemory(capacity: 10)
        memory.note("a", gone, for: 10_000_000, now: 0)
        memory.note("b", at: 9, gone, for: 10_000_000, now: 0)
        for content in ["a", "b"] {
            memory.forget(content, at: 9, now: 1)
            #expect(memory.failure(of: content, at: 9, now: 1) == nil)
        }
        _ = memory.noteTimeout("c", at: 9, slow, now: 0)
        _ = memory.noteTimeout("c", at: 9, slow, now: 60_000)
        memory.forget("c", at: 9, now: 119_999)
        #expect(memory.failure(of: "c", at: 9, now: 119_999) != nil)
        memory.forget("c", at: 9, now: 120_000)
        #expect(memory.failure(of: "c", at: 9, now: 120_000) == nil)
        #expect(memory.noteTimeout("c", at: 9, slow, now: 120_000) == 240_000, "the third time-out in a row")
    }

    @Test("failures over the capacity are evicted, the oldest first")
    func bound() {
        let memory = FailureMemory(capacity: 2)
        memory.note("a", missing, for: 100, now: 0)
        memory.note("b", missing, for: 100, now: 0)
        memory.note("a", missing, for: 100, now: 1)
        memory.note("c", missing, for: 100, now: 2)
        #expect(memory.failure(of: "b", now: 2) == nil)
        #expect(memory.failure(of: "a", now: 2) == missing)
        for i in 0..<10_000 { memory.note("x\(i % 7)", missing, for: 100, now: 3) }
        #expect(memory.count == 2)
        let none = FailureMemory(capacity: 0)
        none.note("a", missing, for: 100, now: 0)
        #expect(none.failure(of: "a", now: 0) == nil)
    }
}
