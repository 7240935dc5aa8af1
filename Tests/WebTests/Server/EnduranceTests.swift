import JSON
import TestSupport
import Testing

/// A short run of what `lookahead-lab` does for hours.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct EnduranceTests {
    private func run(_ arguments: [String]) async throws -> String {
        let child = try Child(LookaheadProcess.lab, arguments)
        let output = await child.output()
        #expect(child.wait() == 0, "\(child.standardError())")
        return output
    }

    /// A benchmark's figures of Lookahead.
    private func figures(_ output: String) throws -> JSON {
        try #require(try JSON.parse(output)["lookahead"])
    }

    // Under a minute the soak does not look at memory and threads.
    @Test(
        "pages scroll, reverse, reconnect, leave and vanish: none waits in vain, every count adds up, no descriptor is lost",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func soak() async throws {
        let output = try await run(["soak", "--minutes", "0.1", "--sessions", "60", "--items", "400"])
        #expect(output.contains("file descriptors"))
    }

    @Test(
        "for longer than a minute pages come and go: memory, threads and descriptors do not grow",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func longSoak() async throws {
        let output = try await run(["soak", "--minutes", "2", "--sessions", "60", "--items", "400"])
        #expect(output.contains("memory, MB"))
    }

    @Test(
        "servers that share and their Redis die at random: every picture comes, the same from all, and every count adds up",
        .enabled(if: RedisServer.isInstalled), .enabled(if: Weekly.isOn, "runs weekly"))
    func nodes() async throws {
        let output = try await run(["nodes", "--minutes", "0.2"])
        #expect(output.contains("killed"))
    }

    // On every commit EndingTests stops a server with 500 streams.
    @Test(
        "servers stop cleanly in the midst of load, and every stream hears bye",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func stops() async throws {
        let output = try await run(["stops", "--count", "5", "--streams", "60", "--limit", "60", "--format", "json"])
        let stops = try JSON.parse(output)
        #expect(stops["stops"] == 5 && stops["bad"] == 0 && stops["unheard"] == 0)
    }

    @Test(
        "event streams by the hundred lose no event, and a leaver is noticed",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func events() async throws {
        let output = try await run(["events", "--streams", "300", "--seconds", "1", "--format", "json"])
        let figures = try figures(output)
        #expect(figures["streams"] == 300 && figures["lost"] == 0)
        #expect(figures["leaver"]?.number != nil)
    }

    @Test(
        "viewport updates are measured, at most and beside bursts, and every update is taken",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func updates() async throws {
        // It fails where an update is refused.
        let output = try await run([
            "http", "--pages", "4", "--streams", "50", "--seconds", "1", "--format", "json",
        ])
        let figures = try figures(output)
        #expect(figures["burstStreams"] == 50)
        for name in ["rate", "halfRate", "halfP99", "burstTime", "burstP99"] {
            #expect(figures[name]?.number ?? 0 > 0, "\(name)")
        }
    }
}
