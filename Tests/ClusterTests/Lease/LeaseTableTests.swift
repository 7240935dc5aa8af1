import Cluster
import Testing

/// Every case of one node's table, with the engine's replies given by hand.
@Suite("Lease table of one node")
struct LeaseTableTests {
    /// A table with one want of "k" that has sent its claim.
    private func claimed() -> (table: LeaseTable, want: UInt64) {
        var table = LeaseTable()
        let want = table.want("k", now: 0)
        #expect(table.claim(want, now: 0) == [.claim(want, key: "k", token: 1)])
        return (table, want)
    }

    private func answered(_ answer: ClaimResult) -> (table: LeaseTable, want: UInt64, actions: [LeaseAction]) {
        var (table, want) = claimed()
        let actions = table.replied(want, key: "k", token: 1, answer, random: 0)
        return (table, want, actions)
    }

    @Test("a free key makes the node its leader until the work is finished")
    func leads() {
        var (table, want, actions) = answered(.lead(othersWait: false))
        #expect(actions == [.lead(want, token: 1)])
        #expect(table.leading == 1)
        #expect(table.renewals() == [.keep(key: "k", token: 1)])
        #expect(table.finish(want) == [.finish(want, key: "k", token: 1)])
        #expect(table.isEmpty)
        #expect(table.finish(want).isEmpty && table.release(want).isEmpty)
    }

    @Test("a found result ends the want without actions")
    func found() {
        let (table, _, actions) = answered(.found)
        #expect(actions.isEmpty)
        #expect(table.isEmpty)
    }

    @Test("a node works alone if the engine is away")
    func away() {
        let (table, want, actions) = answered(.away)
        #expect(actions.first == .alone(want))
        #expect(table.isEmpty)
    }

    @Test("a taken key waits out its lease, and a message wakes the want to claim again")
    func waits() {
        var (table, want, actions) = answered(.taken(rest: 2_000))
        #expect(actions == [.wait(want, milliseconds: 2_020)])
        #expect(table.received(.done, of: "k") == [.wake(want)])
        #expect(table.received(.done, of: "k").isEmpty, "once")
        #expect(table.claim(want, now: 10) == [.claim(want, key: "k", token: 2)])
        #expect(table.replied(want, key: "k", token: 2, .found, random: 0).isEmpty)
        #expect(table.isEmpty)
    }

    @Test("a result that arrives with its message ends the want without another claim")
    func resultWithMessage() {
        var (table, want, _) = answered(.taken(rest: 2_000))
        #expect(table.wants(of: "k") == [want])
        #expect(table.received(.done, of: "k") == [.wake(want)])
        #expect(table.found(want).isEmpty)
        #expect(table.isEmpty && table.wants(of: "k").isEmpty)
        #expect(table.found(want).isEmpty, "once")
    }

    @Test("a message that overtakes the claim's reply makes the node claim again at once")
    func overtaken() {
        for word in [LeaseMessage.done, .released] {
            var (table, want) = claimed()
            #expect(table.received(word, of: "k").isEmpty)
            #expect(
                table.replied(want, key: "k", token: 1, .taken(rest: 2_900), random: 1) == [
                    .wait(want, milliseconds: 0)
                ])
            #expect(table.claim(want, now: 1) == [.claim(want, key: "k", token: 2)])
        }
    }

    @Test("a node claims again and leads after the leader's lease expires")
    func leaderDies() {
        var (table, want, _) = answered(.taken(rest: 3_000))
        #expect(table.claim(want, now: 3_020) == [.claim(want, key: "k", token: 2)])
        #expect(
            table.replied(want, key: "k", token: 2, .lead(othersWait: true), random: 0) == [
                .lead(want, token: 2), .hold(want),
            ])
    }

    @Test(
        "a node works alone if the lease never expires or is longer than allowed",
        arguments: [-1.0, 6_001, 1e9])
    func foreignLease(rest: Double) {
        let (table, want, actions) = answered(.taken(rest: rest))
        #expect(actions == [.alone(want), .drop(key: "k")])
        #expect(table.isEmpty)
    }

    @Test("a node works alone after its patience, even if the leader is alive")
    func patience() {
        var (table, want, _) = answered(.taken(rest: 3_000))
        _ = table.claim(want, now: 3_020)
        _ = table.replied(want, key: "k", token: 2, .taken(rest: 3_000), random: 0)
        #expect(table.claim(want, now: 5_000) == [.alone(want), .drop(key: "k")])
        #expect(table.isEmpty)
    }

    @Test("a lost connection wakes waiting wants, and leading wants continue")
    func lost() {
        var (table, want, _) = answered(.taken(rest: 3_000))
        #expect(table.lost() == [.wake(want)])
        _ = table.claim(want, now: 1)
        #expect(table.replied(want, key: "k", token: 2, .away, random: 0).first == .alone(want))
        var (other, leader, _) = answered(.lead(othersWait: false))
        #expect(other.lost().isEmpty)
        #expect(other.finish(leader) == [.finish(leader, key: "k", token: 1)])
    }

    @Test("releasing a leading want frees its lease, and releasing a waiting want drops its place")
    func release() {
        var (leading, want, _) = answered(.lead(othersWait: false))
        #expect(leading.release(want) == [.release(key: "k", token: 1)])
        #expect(leading.isEmpty)
        var (waiting, other, _) = answered(.taken(rest: 1_000))
        #expect(waiting.release(other) == [.drop(key: "k")])
        #expect(waiting.isEmpty)
    }

    @Test("a lease granted after its want was released is given back")
    func releasedWhileClaiming() {
        var (table, want) = claimed()
        #expect(table.release(want) == [.drop(key: "k")])
        #expect(
            table.replied(want, key: "k", token: 1, .lead(othersWait: false), random: 0) == [
                .release(key: "k", token: 1)
            ])
        #expect(table.isEmpty)
    }

    @Test("the work is held once while others wait")
    func holds() {
        var (table, want, _) = answered(.lead(othersWait: false))
        #expect(!table.isHeld(want))
        #expect(table.received(.othersWait, of: "k") == [.hold(want)])
        #expect(table.isHeld(want) && table.received(.othersWait, of: "k").isEmpty)
        #expect(table.received(.nobodyWaits, of: "k") == [.unhold(want)])
        #expect(!table.isHeld(want) && table.received(.nobodyWaits, of: "k").isEmpty)
        _ = table.received(.othersWait, of: "k")
        #expect(table.finish(want) == [.finish(want, key: "k", token: 1), .unhold(want)])
    }

    @Test("a second want on the same node waits for the first and takes over if the first is released")
    func twoHere() {
        var (table, first, _) = answered(.lead(othersWait: false))
        let second = table.want("k", now: 5)
        #expect(table.claim(second, now: 5) == [.hold(first), .wait(second, milliseconds: 3_000)])
        #expect(
            table.release(first) == [.release(key: "k", token: 1), .unhold(first), .wake(second)])
        #expect(table.claim(second, now: 6) == [.claim(second, key: "k", token: 2)])
    }

    @Test("two crossing claims of one node make the second wait for the first")
    func twoClaims() {
        var (table, first) = claimed()
        let second = table.want("k", now: 0)
        #expect(table.claim(second, now: 0) == [.claim(second, key: "k", token: 2)])
        #expect(
            table.replied(first, key: "k", token: 1, .lead(othersWait: false), random: 0) == [
                .lead(first, token: 1), .hold(first),
            ])
        #expect(
            table.replied(second, key: "k", token: 2, .taken(rest: 3_000), random: 0) == [
                .wait(second, milliseconds: 3_020)
            ])
        #expect(table.release(second) == [.unhold(first), .drop(key: "k")])
        _ = table.finish(first)
        #expect(table.isEmpty)
    }

    @Test("messages about unknown keys change nothing")
    func unknownKeys() {
        var table = LeaseTable()
        for word in [LeaseMessage.done, .released, .othersWait, .nobodyWaits] {
            #expect(table.received(word, of: "x").isEmpty)
        }
        #expect(table.claim(7, now: 0).isEmpty && table.release(7).isEmpty && table.isEmpty)
    }
}
