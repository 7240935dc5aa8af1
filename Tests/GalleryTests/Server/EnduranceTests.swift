import TestSupport
import Testing

/// The product's own benchmarks of endurance, short.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct EnduranceTests {
    private func run(_ arguments: [String]) async throws -> String {
        let child = try Child(LookaheadProcess.executable, ["bench"] + arguments)
        let output = await child.output()
        #expect(child.wait() == 0, "\(child.standardError())")
        return output
    }

    @Test("pages scroll, reverse, reconnect, leave and vanish, none waits in vain, and every count adds up")
    func soak() async throws {
        let output = try await run(["soak", "--minutes", "0.4", "--sessions", "60", "--items", "400"])
        #expect(output.contains("file descriptors"))
    }

    @Test(
        "servers that share and their Redis die at random: every picture comes, the same from all, and every count adds up",
        .enabled(if: RedisServer.isInstalled))
    func nodes() async throws {
        let output = try await run(["nodes", "--minutes", "0.2"])
        #expect(output.contains("killed"))
    }

    @Test("servers stop cleanly in the midst of load, and every stream hears bye")
    func stops() async throws {
        let output = try await run(["stops", "--count", "5", "--streams", "60"])
        #expect(output.contains("streams without bye  0"))
    }

    @Test("event streams by the hundred lose no event, and a leaver is noticed")
    func events() async throws {
        let output = try await run(["events", "--streams", "300", "--seconds", "1", "--format", "json"])
        #expect(output.contains("\"lost\":0"))
        #expect(!output.contains("\"leaver\":null"))
    }

    @Test("viewport updates and bursts are measured, and every update is taken")
    func updates() async throws {
        let output = try await run(["http", "--pages", "4", "--streams", "50", "--seconds", "1", "--format", "json"])
        #expect(output.contains("\"burstP99\""))
    }
}
