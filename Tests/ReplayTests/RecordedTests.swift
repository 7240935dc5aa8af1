import Glibc
import Replay
import Testing
import Trace
import Viewport

/// Traces recorded from real scrolling in Chromium; `Traces/record.py` records them again.
@Suite(.timeLimit(.minutes(3)))
struct RecordedTests {
    private func trace(_ name: String) throws -> Trace {
        let folder = String(#filePath.dropLast("RecordedTests.swift".count)) + "Traces/"
        let file = try #require(fopen(folder + "chromium-\(name).ndjson", "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return try Trace(bytes, name: name)
    }

    @Test(
        "what Chromium scrolled is a trace",
        arguments: [
            ("wheel", [ScrollPhase.idle, .wheel]), ("touch", [.idle, .touch, .momentum]),
            ("scrollbar", [.idle, .drag]),
        ])
    func readable(name: String, phases: [ScrollPhase]) throws {
        let trace = try trace(name)
        #expect((5_000...30_000).contains(trace.duration))
        #expect(Set(trace.samples.compactMap(\.phase)) == Set(phases))
        #expect(try Trace(trace.bytes, name: name) == trace)
    }

    @Test("recorded traces replay with every policy, and the oracle leaves less blank than one that never looks ahead")
    func replays() throws {
        for name in ["wheel", "touch", "scrollbar"] {
            let trace = try trace(name)
            let oracle = Replay.run(trace, .oracle, Origin()).slowBlankShare
            for policy in PolicyName.allCases {
                #expect((0...1).contains(Replay.run(trace: trace, policy: policy, origin: Origin()).slowBlankShare))
            }
            #expect(oracle < Replay.run(trace: trace, policy: .operationQueue, origin: Origin()).slowBlankShare)
        }
    }
}
