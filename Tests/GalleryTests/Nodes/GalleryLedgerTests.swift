import Gallery
import Testing

@Suite("What is to be done with shared galleries")
struct GalleryLedgerTests {
    @Test("what others made is taken, what was made here is saved, what was deleted here is deleted there")
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

    @Test("Redis that comes back empty gets all of them again; a deletion that it does not know is repeated")
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

    @Test("what cannot be taken is left until something has changed")
    func refused() {
        var ledger = GalleryLedger()
        #expect(ledger.steps(listed: ["x"], revision: 1) == [.load("x")])
        ledger.refuse("x")
        ledger.finished(1)
        #expect(ledger.steps(listed: ["x"], revision: 1).isEmpty)
        #expect(ledger.steps(listed: ["x", "y"], revision: 2) == [.load("x"), .load("y")])
    }

    @Test("what was deleted here while it was being taken is not taken")
    func deleted() {
        var ledger = GalleryLedger()
        ledger.made("x")
        ledger.deleted("x")
        #expect(!ledger.isWanted("x"))
        ledger.gone("x")
        #expect(ledger.isWanted("x"))
        ledger.deleted("never")
        #expect(ledger.removed.isEmpty, "it was never shared")
    }

    @Test("deletions that Redis never hears of do not pile up")
    func bounded() {
        var ledger = GalleryLedger()
        for number in 0..<3_000 {
            ledger.made("\(number)")
            ledger.deleted("\(number)")
        }
        #expect(ledger.removed.count == GalleryLedger.maxRemoved && ledger.kept.isEmpty)
    }
}
