import TaskPool
import Testing

@Suite("Lists that wait to be taken in")
struct WantInboxTests {
    private func wants(_ keys: Int...) -> [PoolWant<Int>] { keys.map { PoolWant(key: $0, visible: true) } }

    @Test("the first one calls for somebody, the others wait with it")
    func first() {
        var inbox = WantInbox<Int>()
        let calls = [1, 2, 1].map { inbox.put(wants(3), of: SessionID($0)) }
        #expect(calls == [true, false, false])
        let taken = inbox.takeAll()
        #expect(taken.count == 2)
        let again = inbox.put(wants(4), of: SessionID(1))
        #expect(again)
    }

    @Test("a session's later list replaces its earlier one and keeps its place")
    func latest() {
        var inbox = WantInbox<Int>()
        _ = inbox.put(wants(1), of: SessionID(1))
        _ = inbox.put(wants(2), of: SessionID(2))
        _ = inbox.put(wants(3, 4), of: SessionID(1))
        let taken = inbox.takeAll()
        #expect(taken.map(\.session) == [SessionID(1), SessionID(2)])
        #expect(taken.map { $0.wants?.map(\.key) } == [[3, 4], [2]])
        let rest = inbox.takeAll()
        #expect(rest.isEmpty)
    }

    @Test("an end takes the place of the list before it, and stays before the list after it")
    func ending() {
        var inbox = WantInbox<Int>()
        _ = inbox.put(wants(1), of: SessionID(1))
        let calls = [inbox.end(SessionID(1)), inbox.end(SessionID(2)), inbox.put(wants(3), of: SessionID(2))]
        #expect(calls == [false, false, false])
        let taken = inbox.takeAll()
        #expect(taken.map(\.hasEnded) == [true, true])
        #expect(taken.map { $0.wants?.map(\.key) } == [nil, [3]])
        let first = inbox.end(SessionID(3))
        #expect(first)
    }
}
