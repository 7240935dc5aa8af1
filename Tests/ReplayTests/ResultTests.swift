import Replay
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

    @Test("the JSON names what the API promises")
    func json() {
        let text = String(decoding: results.prefix(1).json, as: UTF8.self)
        #expect(
            text == """
                {"results":[{"trace":"a","policy":"collection-view","origin":{"latency":80,"jitter":0.35,\
                "bandwidth":25,"concurrency":8},"blankShare":0.123457,"slowBlankShare":0,"waste":1,"settleP50":100,\
                "settleP95":1234.5,"requests":12,"cancelled":3,"bytes":1234568}]}
                """)
    }

    @Test("the table's columns line up")
    func table() {
        let lines = results.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(Set(lines.map(\.count)).count == 1)
        #expect(lines[1].contains("0.123  0.000  1.000       100      1235"))
    }
}
