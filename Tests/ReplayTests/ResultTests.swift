import Replay
import Scoring
import Testing
import Viewport

@Suite
struct ResultTests {
    private var results: [Replay.Result] {
        let score = Score(
            blankShare: 0.12345678, slowBlankShare: 0, waste: 1, settleP50: 99.96, settleP95: 1_234.5, requests: 12,
            cancelled: 3, bytes: 1_234_567.8)
        return [
            Replay.Result(trace: "a", player: .policy(.collectionView), origin: Origin(), score: score),
            Replay.Result(trace: "long name", player: .oracle, origin: Origin(latency: 7.5), score: score),
        ]
    }

    @Test("the JSON has the documented members")
    func json() {
        let text = String(decoding: results.prefix(1).json, as: UTF8.self)
        #expect(
            text == """
                {"results":[{"trace":"a","policy":"collection-view","origin":{"latency":80,"jitter":0.35,\
                "bandwidth":25,"concurrency":8},"blankShare":0.123457,"slowBlankShare":0,"waste":1,"settleP50":100,\
                "settleP95":1234.5,"requests":12,"cancelled":3,"bytes":1234568}]}
                """)
    }

    @Test("the JSON lists shares by kind if there are any")
    func jsonByKind() {
        var result = results[0]
        result.score.byKind = [Score.KindScore(kind: "scan", blankShare: 0.5, slowBlankShare: 0.25)]
        let text = String(decoding: [result].json, as: UTF8.self)
        #expect(text.hasSuffix("\"bytes\":1234568,\"byKind\":{\"scan\":{\"blank\":0.5,\"slowBlank\":0.25}}}]}"))
    }

    @Test("the table's columns line up")
    func table() {
        let lines = results.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(Set(lines.map(\.count)).count == 1)
        #expect(lines[1].contains("0.123  0.000  1.000       100      1235"))
    }

    @Test("the report is self-contained and draws every player over the same time")
    func report() {
        var trace = TraceKind.wobble.trace(seed: 1, seconds: 2)
        trace.name = "a <b> & \"c\""
        let players = [Replay.Player.policy(.collectionView), .oracle]
        let origins = [Origin(), Origin(latency: 30)]
        let html = Replay.html([trace], players, origins)
        #expect(html == Replay.html([trace], players, origins))
        let text = String(decoding: html, as: UTF8.self)
        #expect(!text.contains("http"))
        #expect(!text.contains("src="))
        #expect(!text.contains("<b> &"))
        #expect(text.contains("a &lt;b&gt; &amp; &quot;c&quot;"))
        #expect(text.contains("prefers-color-scheme: dark"))
        let maps = text.split(separator: "data-map=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(maps.count == 4)
        for map in maps {
            let rows = map.split(separator: " ")
            #expect(rows.count == 24)
            #expect(rows.allSatisfy { length(of: $0) == 360 })
        }
        #expect(maps[0].contains("j"))
        #expect(maps[0] != maps[1])
    }

    /// Number of cells in a run-length encoded row.
    private func length(of row: Substring) -> Int {
        row.split(omittingEmptySubsequences: false) { $0.isLetter }.dropFirst().map { Int($0) ?? 1 }.reduce(0, +)
    }
}
