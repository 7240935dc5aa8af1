import Glibc
import Replay
import Scoring
import Testing
import Viewport

/// Traces of real scrolling in Chromium, recorded by `Traces/record.py`, and the page's prepared flings.
@Suite(.timeLimit(.minutes(2)))
struct RecordedTests {
    private func bytes(_ name: String) throws -> [UInt8] {
        let folder = String(#filePath.dropLast("RecordedTests.swift".count)) + "Traces/"
        let file = try #require(fopen(folder + name, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    private func trace(_ name: String) throws -> Trace { try Trace(bytes("\(name).ndjson"), name: name) }

    @Test(
        "a recording of Chromium is a valid trace with its phases",
        arguments: [
            ("chromium-wheel", [ScrollPhase.idle, .wheel]), ("chromium-touch", [.idle, .touch, .momentum]),
            ("chromium-scrollbar", [.idle, .drag]),
        ])
    func readable(name: String, phases: [ScrollPhase]) throws {
        let trace = try trace(name)
        #expect((5_000...30_000).contains(trace.duration))
        #expect(Set(trace.samples.compactMap(\.phase)) == Set(phases))
    }

    @Test("recorded traces replay with every policy, and the oracle beats operation-queue")
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

    @Test("on recorded flings lookahead leaves less than a third of collection-view's blank")
    func flings() throws {
        let trace = try trace("race-fling")
        #expect(trace.duration > 19_000)
        let ours = Replay.run(trace: trace, policy: .lookahead, origin: Origin()).slowBlankShare
        let theirs = Replay.run(trace: trace, policy: .collectionView, origin: Origin()).slowBlankShare
        #expect(ours < theirs / 3 && theirs > 0.1)
    }

    /// Tours that `Tests/Benchmarks/live.sh --rounds 1 --seeds 301 --keep` recorded on 27 November 2026, one run each. No rule
    /// was made on them.
    @Test("replayed tours match the blank share in Chromium within a tenth")
    func tours() throws {
        let runs = try Measurement.read(bytes("tours/measured.json"))
        #expect(Set(runs.map(\.link)) == ["near", "wide", "narrow", "far"] && runs.count == 5)
        var (close, kinds) = (0, 0)
        for run in runs {
            let trace = try Trace(bytes("tours/\(run.trace)"), name: run.trace)
            let score = Replay.run(trace: trace, policy: run.policy, origin: run.origin)
            let message = "\(run.trace): \(score.slowBlankShare)" as Comment
            #expect(abs(score.slowBlankShare - run.slowBlankShare) < 0.1 * run.slowBlankShare, message)
            // The page's own work while it opens is not simulated.
            for kind in score.byKind where kind.kind != "first" {
                let measured = try #require(run.byKind[kind.kind])
                kinds += 1
                if abs(kind.slowBlankShare - measured) <= 0.015 { close += 1 }
            }
        }
        #expect(kinds == 45 && 3 * close >= 2 * kinds, "\(close) of \(kinds)")
    }
}
