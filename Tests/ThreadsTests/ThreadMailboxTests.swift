import Synchronization
import Testing
import Threads

@Suite struct ThreadMailboxTests {
    private final class Wakes: Sendable { let count = Atomic(0) }

    @Test("64 messages that wake nobody may wait, and one more wakes the thread once")
    func unannounced() {
        let wakes = Wakes()
        let mailbox = ThreadMailbox<Int> { wakes.count.add(1, ordering: .relaxed) }
        for number in 0..<64 { #expect(mailbox.send(number, wakes: false)) }
        #expect(wakes.count.load(ordering: .relaxed) == 0)
        #expect(mailbox.send(64, wakes: false))
        #expect(wakes.count.load(ordering: .relaxed) == 1)
        #expect(mailbox.send(65))
        #expect(wakes.count.load(ordering: .relaxed) == 1)
        #expect(mailbox.take() == Array(0...65))
    }

    @Test("a closed mailbox refuses messages and returns the unread ones")
    func closed() {
        let mailbox = ThreadMailbox<Int> {}
        #expect(mailbox.send(1))
        #expect(mailbox.close().unread == [1])
        #expect(!mailbox.send(2) && mailbox.take().isEmpty)
    }
}
