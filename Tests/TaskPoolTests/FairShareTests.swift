import TaskPool
import Testing

/// Sessions that share one pool in virtual time; a fetch takes 100 ms, eight go at once.
@Suite
struct FairShareTests {
    private static let took = 100.0

    private struct World {
        var core = TaskPoolCore<Int>()
        var now = 0.0
        private var running: [(ends: Double, ticket: Ticket<Int>)] = []
        var shown: [Int: Double] = [:]

        mutating func want(_ wants: [PoolWant<Int>], _ session: SessionID) {
            follow(core.want(wants, session: session, now: now))
        }

        mutating func pass(to time: Double) {
            while let next = running.first, next.ends <= time {
                running.removeFirst()
                now = next.ends
                shown[next.ticket.key] = now
                follow(core.finish(next.ticket, .ready, now: now))
            }
            now = time
        }

        private mutating func follow(_ actions: [PoolAction<Int>]) {
            for action in actions {
                switch action {
                case .start(let ticket) where ticket.kind == .lookUp:
                    follow(core.finish(ticket, .advance(to: .fetch), now: now))
                case .start(let ticket): running.append((now + took, ticket))
                case .abort(let ticket):
                    running.removeAll { $0.ticket == ticket }
                    follow(core.finish(ticket, .cancelled, now: now))
                case .dropped, .finished, .refused, .paused: break
                }
            }
        }
    }

    /// Someone reads: six more cells each second. Others fling. How long the reader's cells take, from wanted to shown.
    private func waits(flinging: Int, flingsSee: Int) -> [Double] {
        var world = World()
        var waits: [Double] = []
        for step in 0..<300 {
            world.pass(to: Double(step) * 33)
            for other in 0..<flinging {
                let first = 1_000_000 * (other + 1) + step * 20
                world.want(
                    (first..<first + 200).map { PoolWant(key: $0, visible: $0 < first + flingsSee) },
                    SessionID(UInt64(other + 2)))
            }
            if step % 30 == 0 {
                let row = step / 30 * 6..<step / 30 * 6 + 6
                world.want(row.map { PoolWant(key: $0, visible: true) }, SessionID(1))
            }
            if step % 30 == 29 {
                let row = step / 30 * 6..<step / 30 * 6 + 6
                let asked = Double(step - 29) * 33
                waits += row.map { (world.shown[$0] ?? .infinity) - asked }
            }
        }
        return waits
    }

    @Test("a reader alone waits only for the fetch")
    func alone() {
        #expect(waits(flinging: 0, flingsSee: 0).max() == Self.took)
    }

    @Test("beside five sessions that only prefetch, a reader waits for at most one fetch in flight")
    func besidePrefetching() throws {
        let waits = waits(flinging: 5, flingsSee: 0)
        #expect(waits.count == 60)
        #expect(try #require(waits.max()) <= 2 * Self.took)
    }

    @Test("beside five sessions with 40 new cells each, a reader gets its sixth of the slots")
    func besideVisible() throws {
        let waits = waits(flinging: 5, flingsSee: 40)
        // Six cells, 8/6 slots: about four and a half rounds and the one in flight; after 200 others it would be 26.
        #expect(try #require(waits.max()) <= 8 * Self.took)
    }
}
