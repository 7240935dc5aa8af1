import Glibc
import Replay
import Testing
import Trace
import Viewport

/// Traces recorded from real scrolling in Chromium, which `Traces/record.py` records again; and the page's ready-made flings.
@Suite(.timeLimit(.minutes(3)))
struct RecordedTests {
    private func trace(_ name: String) throws -> Trace {
        let folder = String(#filePath.dropLast("RecordedTests.swift".count)) + "Traces/"
        let file = try #require(fopen(folder + "\(name).ndjson", "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return try Trace(bytes, name: name)
    }

    @Test(
        "what Chromium scrolled is a trace",
        arguments: [
            ("chromium-wheel", [ScrollPhase.idle, .wheel]), ("chromium-touch", [.idle, .touch, .momentum]),
            ("chromium-scrollbar", [.idle, .drag]),
        ])
    func readable(name: String, phases: [ScrollPhase]) throws {
        let trace = try trace(name)
        #expect((5_000...30_000).contains(trace.duration))
        #expect(Set(trace.samples.compactMap(\.phase)) == Set(phases))
        #expect(try Trace(trace.bytes, name: name) == trace)
    }

    @Test("recorded traces replay with every policy, and the oracle leaves less blank than one that never looks ahead")
    func replays() throws {
        for name in ["chromium-wheel", "chromium-touch", "chromium-scrollbar"] {
            let trace = try trace(name)
            let oracle = Replay.run(trace, .oracle, Origin()).slowBlankShare
            for policy in PolicyName.allCases {
                #expect((0...1).contains(Replay.run(trace: trace, policy: policy, origin: Origin()).slowBlankShare))
            }
            #expect(oracle < Replay.run(trace: trace, policy: .operationQueue, origin: Origin()).slowBlankShare)
        }
    }

    @Test("on flings, the articles' first example, lookahead leaves less than a third as blank as collection-view")
    func flings() throws {
        let trace = try trace("race-fling")
        #expect(trace.duration > 19_000)
        let ours = Replay.run(trace: trace, policy: .lookahead, origin: Origin()).slowBlankShare
        let theirs = Replay.run(trace: trace, policy: .collectionView, origin: Origin()).slowBlankShare
        #expect(ours < theirs / 3 && theirs > 0.1)
    }
}
