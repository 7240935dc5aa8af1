import JSON
import Numbers
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

    @Test("the report is one page with the record of each player and the modules as one script")
    func report() throws {
        var trace = TraceKind.wobble.trace(seed: 1, seconds: 2)
        trace.name = "a <b> & \"c\""
        let parts = Replay.ReportParts(
            styles: ["p {}"], modules: ["export const a = 1", "import { a } from './a.js'\nexport function b() {}"])
        let (players, origins) = ([Replay.Player.policy(.collectionView), .oracle], [Origin(), Origin(latency: 30)])
        let (html, results) = Replay.html([trace], players, origins, parts)
        #expect(html == Replay.html([trace], players, origins, parts).page)
        #expect(results == Replay.run([trace], players, origins))
        let text = String(decoding: html, as: UTF8.self)
        #expect(text.contains("<style>\np {}\n</style>"))
        #expect(text.contains("<script type=\"module\">\nconst a = 1\nfunction b() {}\n</script>"))
        #expect(!text.contains("http") && !text.contains("src="))
        #expect(text.contains("a &lt;b&gt; &amp; &quot;c&quot;") && !text.contains("<b> &"))
        let records = try text.split(separator: "<script type=\"application/json\">").dropFirst().map {
            try JSON.parse(Array($0.utf8.prefix { $0 != UInt8(ascii: "<") }))
        }
        #expect(records.map { $0["policy"] } == ["collection-view", "oracle", "collection-view", "oracle"])
        for (record, result) in zip(records, results) {
            let pictures = record["pictures"]?.array ?? []
            #expect(record["end"]?.number == trace.duration.rounded(to: 1))
            #expect(record["samples"]?.array?.count == trace.samples.count)
            #expect(pictures.count { $0["requested"] != nil } == result.score.requests)
            #expect(abs(blankShare(record) - result.score.blankShare) < 0.001)
        }
    }

    /// The share of a record's exposure, weighted by time.
    private func blankShare(_ record: JSON) -> Double {
        let moments = record["exposure"]?.array ?? []
        let ends = moments.dropFirst().map { $0["t"]?.number ?? 0 } + [record["end"]?.number ?? 0]
        var (visible, blank) = (0.0, 0.0)
        for (moment, end) in zip(moments, ends) {
            let time = end - (moment["t"]?.number ?? 0)
            visible += time * (moment["visible"]?.number ?? 0)
            blank += time * (moment["blank"]?.number ?? 0)
        }
        return blank / visible
    }
}
