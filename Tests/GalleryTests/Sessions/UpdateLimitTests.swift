import Gallery
import Synchronization
import Testing
import Threads

@Suite("Update limit of a session", .timeLimit(.minutes(1)))
struct UpdateLimitTests {
    @Test("threads together never exceed the limit")
    func threads() async throws {
        final class Shared: Sendable {
            let limit = UpdateLimit(rate: 1000)
            let passed = Atomic(0)
        }
        let shared = Shared()
        let threads = BlockingThreads("test", count: 8, limit: 8)
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    try await threads.run {
                        for _ in 0..<1000 where shared.limit.take(at: 5) == nil {
                            shared.passed.add(1, ordering: .relaxed)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(shared.passed.load(ordering: .relaxed) == 1000)
    }
}
