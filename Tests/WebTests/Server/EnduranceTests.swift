import JSON
import TestSupport
import Testing

/// Short runs of the endurance commands of `lookahead-lab`.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct EnduranceTests {
    private func run(_ arguments: [String]) async throws -> String {
        let child = try Child(LookaheadProcess.lab, arguments)
        let output = await child.output()
        #expect(child.wait() == 0, "\(child.standardError())")
        return output
    }

    /// Lookahead's figures in a benchmark's output.
    private func figures(_ output: String) throws -> JSON {
        try #require(try JSON.parse(output)["lookahead"])
    }

    // A soak of less than a minute does not check memory and threads.
    @Test(
        "a soak of scrolling, reconnecting and vanishing pages passes and loses no file descriptor",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func soak() async throws {
        let output = try await run(["soak", "--minutes", "0.1", "--sessions", "60", "--items", "400"])
        #expect(output.contains("file descriptors"))
    }

    @Test(
        "memory, threads and file descriptors do not grow in a soak of two minutes",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func longSoak() async throws {
        let output = try await run(["soak", "--minutes", "2", "--sessions", "60", "--items", "400"])
        #expect(output.contains("memory, MB"))
    }

    @Test(
        "servers that share through Redis serve every picture while processes die at random",
        .enabled(if: RedisServer.isInstalled), .enabled(if: Weekly.isOn, "runs weekly"))
    func nodes() async throws {
        let output = try await run(["nodes", "--minutes", "0.2"])
        #expect(output.contains("killed"))
    }

    // On every commit EndingTests stops a server with 500 streams.
    @Test(
        "servers stop cleanly under load, and every stream gets bye",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func stops() async throws {
        let output = try await run(["stops", "--count", "5", "--streams", "60", "--limit", "60", "--format", "json"])
        let stops = try JSON.parse(output)
        #expect(stops["stops"] == 5 && stops["bad"] == 0 && stops["unheard"] == 0)
    }

    @Test(
        "300 event streams lose no event, and a closed stream is noticed",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func events() async throws {
        let output = try await run(["events", "--streams", "300", "--seconds", "1", "--format", "json"])
        let figures = try figures(output)
        #expect(figures["streams"] == 300 && figures["lost"] == 0)
        #expect(figures["leaver"]?.number != nil)
    }

    @Test(
        "the HTTP benchmark measures viewport updates, and none is refused",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func updates() async throws {
        // The command fails if an update is refused.
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
