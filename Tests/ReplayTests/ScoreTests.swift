import Replay
import Testing
import Viewport

/// What `lookahead` is worth, on traces that none of its constants was chosen on: those were chosen on seeds below 100.
@Suite(.timeLimit(.minutes(10)))
struct ScoreTests {
    @Test("over traces held back, lookahead closes the gap, wastes no more, and is worse at no kind of scrolling")
    func heldBack() async throws {
        // The baselines that are best at some kind of scrolling; the others only make the test longer.
        let players: [PolicyName] = [.lookahead, .collectionView, .texture, .chromiumLazy, .glide]
        let score = await Scoreboard(
            Scoreboard.Kind.generated(3001...3016), players: players.map(Replay.Player.policy) + [.oracle])
        for table in score.tables {
            let ours = try #require(table.row(.policy(.lookahead)))
            let collectionView = try #require(table.row(.policy(.collectionView)))
            #expect(table.closed >= 0.6, "\(score.text)")
            #expect(ours.waste <= collectionView.waste, "\(score.text)")
            for (kind, ratio) in zip(score.kinds, table.ratios) {
                #expect(ratio <= 1.05, "\(kind) at \(table.origin): \(score.text)")
            }
        }
    }

    @Test("means are taken over the traces of a kind, then over the kinds")
    func means() async throws {
        let trace = TraceKind.read.trace(seed: 1, seconds: 2)
        let other = TraceKind.hunt.trace(seed: 1, seconds: 2)
        let kinds = Scoreboard.Kind.sorting([trace, other, trace])
        #expect(kinds.map(\.name) == ["read", "hunt"] && kinds[0].traces.count == 2)
        let origin = Origin()
        let score = await Scoreboard(kinds, [origin])
        let table = try #require(score.tables.first)
        #expect(table.rows.map(\.player) == Replay.Player.all)
        for row in table.rows {
            let expected = [trace, other].map { Replay.run($0, row.player, origin) }
            #expect(zip(row.wastes, expected).allSatisfy { abs($0 - $1.waste) < 1e-12 })
            #expect(abs(row.slowBlankShare - (expected[0].slowBlankShare + expected[1].slowBlankShare) / 2) < 1e-12)
        }
        #expect(score.text.contains("lookahead closes"))
    }
}
