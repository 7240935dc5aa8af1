import Glibc
import Testing
import Threads

@Suite(.timeLimit(.minutes(1))) struct EventPollTests {
    private let poll: EventPoll
    private let (near, far): (Int32, Int32)

    init() throws {
        poll = try #require(EventPoll())
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        (near, far) = (ends[0], ends[1])
    }

    private func wait(_ limit: Duration? = .zero) -> (isWoken: Bool, ready: [EventPoll.Ready]) {
        var ready: [EventPoll.Ready] = []
        let isWoken = poll.wait(limit, &ready)
        return (isWoken, ready)
    }

    private func close() { for end in [near, far] { Glibc.close(end) } }

    @Test("input is reported while there is any, and never after unwatching")
    func input() {
        defer { close() }
        #expect(poll.watch(near, 7, .input))
        #expect(!poll.watch(near, 8, .input), "already watched")
        #expect(wait().ready.isEmpty)
        #expect(write(far, "a", 1) == 1)
        for _ in 0..<2 { #expect(wait(nil).ready.map(\.id) == [7]) }
        #expect(poll.change(near, 7, to: .inputAndOutput))
        #expect(wait().ready.allSatisfy { $0.isReadable && $0.isWritable && !$0.isHungUp })
        #expect(poll.change(near, 7, to: .output))
        #expect(wait().ready.allSatisfy { !$0.isReadable && $0.isWritable })
        poll.unwatch(near)
        #expect(wait().ready.isEmpty)
        #expect(!poll.change(near, 7, to: .input))
    }

    @Test("changes are reported once, and so is a hang-up")
    func changes() {
        defer { Glibc.close(near) }
        #expect(poll.watch(near, 0, .changes))
        #expect(wait().ready.map(\.isWritable) == [true])
        #expect(wait().ready.isEmpty)
        #expect(write(far, "a", 1) == 1)
        #expect(wait().ready.map(\.isReadable) == [true])
        #expect(wait().ready.isEmpty)
        Glibc.close(far)
        #expect(wait().ready.map(\.isHungUp) == [true])
    }

    @Test("the end of the peer's side is reported once, and its input never")
    func end() {
        defer { close() }
        #expect(poll.watch(near, 1 << 63, .end))
        #expect(write(far, "a", 1) == 1)
        #expect(wait().ready.isEmpty)
        shutdown(far, Int32(SHUT_WR))
        #expect(wait(nil).ready.map(\.id) == [1 << 63])
        #expect(wait().ready.isEmpty)
    }

    @Test("a wake-up ends the current or the next wait, once")
    func wake() async throws {
        defer { close() }
        let poll = poll
        let threads = BlockingThreads("test", count: 1, limit: 1)
        for _ in 0..<100 {
            threads.start { poll.wake() }
            #expect(wait(nil).isWoken)
        }
        poll.wake()
        poll.wake()
        #expect(wait(nil).isWoken)
        #expect(!wait().isWoken)
    }

    @Test("a wait never ends early")
    func limit() {
        defer { close() }
        for limit in [Duration.microseconds(1), .microseconds(1500), .milliseconds(20)] {
            let began = ContinuousClock.now
            #expect(!wait(limit).isWoken)
            #expect(ContinuousClock.now - began >= limit)
        }
        #expect(!wait(.milliseconds(-5)).isWoken)
    }

    @Test("a signal lasts until it is cleared")
    func wakeup() throws {
        defer { close() }
        let wakeup = try #require(Wakeup())
        #expect(!wakeup.isSignalled && !wakeup.wait(1))
        wakeup.signal()
        wakeup.signal()
        #expect(wakeup.isSignalled && wakeup.wait(-1))
        wakeup.clear()
        #expect(!wakeup.isSignalled)
    }
}
