import Foundation

/// How events are spread over streams, by every server that `lookahead-lab events` measures.
enum StreamTurns {
    /// The elements of a part, 0 ..< parts, of all.
    static func part<Element>(_ part: Int, of parts: Int, _ all: [Element]) -> ArraySlice<Element> {
        all[(part * all.count / parts)..<((part + 1) * all.count / parts)]
    }

    /// Calls `send` each millisecond with the part of the streams whose turn it is: each has one turn a second.
    ///
    /// On a thread of its own that the kernel wakes: a thousand sleeps of tasks a second cost nearly as much CPU as sending
    /// 10,000 events of 10 kB does, and would be counted for the server's.
    static func run(seconds: Int, _ send: @escaping @Sendable (_ part: Int, _ parts: Int) -> Void) {
        Thread.detachNewThread {
            var due = timespec()
            clock_gettime(CLOCK_MONOTONIC, &due)
            for tick in 0..<(seconds * 1000) {
                while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nil) == EINTR {}
                send(tick % 1000, 1000)
                due.tv_nsec += 1_000_000
                if due.tv_nsec >= 1_000_000_000 {
                    due.tv_sec += 1
                    due.tv_nsec -= 1_000_000_000
                }
            }
        }
    }
}
