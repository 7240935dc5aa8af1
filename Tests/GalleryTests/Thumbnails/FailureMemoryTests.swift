import Testing

@testable import Gallery

@Suite struct FailureMemoryTests {
    private let missing = ItemFailure(reason: "the origin answered 404", retryable: false)
    private let gone = ItemFailure(reason: "the origin answered 410", retryable: false)

    @Test("a failure is believed for its time, with its reason")
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

    @Test("it stays within its bound: the oldest make room")
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
