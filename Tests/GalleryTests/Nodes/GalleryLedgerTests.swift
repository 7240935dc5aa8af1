import Gallery
import Testing

@Suite("Ledger of shared galleries")
struct GalleryLedgerTests {
    @Test("the ledger loads remote galleries, saves local ones and repeats deletions")
    func steps() {
        var ledger = GalleryLedger()
        ledger.made("mine")
        ledger.made("bad")
        ledger.deleted("bad")
        #expect(
            ledger.steps(listed: ["theirs", "bad"], revision: 1) == [.remove("bad"), .load("theirs"), .save("mine")])
        ledger.gone("bad")
        ledger.loaded("theirs")
        ledger.finished(1)
        #expect(!ledger.isBehind(1) && ledger.isBehind(2))
        #expect(ledger.steps(listed: ["theirs", "mine"], revision: 2).isEmpty)
    }

    @Test("an empty Redis gets all galleries again, and unknown deletions are repeated")
    func empty() {
        var ledger = GalleryLedger()
        ledger.made("a")
        ledger.loaded("b")
        ledger.finished(7)
        #expect(ledger.isBehind(0))
        #expect(ledger.steps(listed: [], revision: 0) == [.save("a"), .save("b")])
        ledger.deleted("b")
        #expect(ledger.steps(listed: [], revision: 0) == [.remove("b"), .save("a")])
    }

    @Test("a gallery that cannot be loaded is retried only after a change")
    func refused() {
        var ledger = GalleryLedger()
        #expect(ledger.steps(listed: ["x"], revision: 1) == [.load("x")])
        ledger.refuse("x")
        ledger.finished(1)
        #expect(ledger.steps(listed: ["x"], revision: 1).isEmpty)
        #expect(ledger.steps(listed: ["x", "y"], revision: 2) == [.load("x"), .load("y")])
    }

    @Test("a gallery deleted while it loads is not added")
    func deleted() {
        var ledger = GalleryLedger()
        ledger.made("x")
        ledger.deleted("x")
        #expect(!ledger.isWanted("x"))
        ledger.gone("x")
        #expect(ledger.isWanted("x"))
        ledger.deleted("never")
        #expect(ledger.removed.isEmpty, "a gallery that was never shared needs no removal")
    }

    @Test("the number of remembered deletions is bounded")
    func bounded() {
        var ledger = GalleryLedger()
        for number in 0..<3_000 {
            ledger.made("\(number)")
            ledger.deleted("\(number)")
        }
        #expect(ledger.removed.count == GalleryLedger.maxRemoved && ledger.kept.isEmpty)
    }
}
