import Foundation
import Glibc
import Synchronization
import Threads

/// How late a thread wakes that does nothing but sleep a millisecond at a time: what no server on this machine could be
/// faster than, as long as others use its processors.
final class WakeDelays: Sendable {
    private static let pause: Int64 = 1_000_000

    private let delays = Mutex(Durations())
    private let isOver = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            var due = LoadLoop.now + Self.pause
            while !isOver.load(ordering: .relaxed) {
                var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
                clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
                let now = LoadLoop.now
                delays.withLock { $0.add(now - due) }
                due = max(due, now) + Self.pause
            }
            ended.signal()
        }
    }

    /// Ends the thread.
    func stop() -> Durations {
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        return delays.withLock { $0 }
    }
}
