import Dispatch
import Glibc
import Synchronization

/// One thread that calls back when it is time.
///
/// A task that sleeps costs several threads' wake-ups, and one that is cancelled leaves its timer behind. That does where
/// something waits now and then; sessions set a timer at almost every update, hundreds of them a second.
package final class TimerThread: Sendable {
    package typealias ID = UInt64

    private struct State {
        var queue = TimerQueue<@Sendable () -> Void>()
        /// What the thread sleeps until; `nil` while it is awake.
        var sleepsUntil: Int64?
        var isStarted = false
        var isStopped = false
    }

    /// Shared with the thread, which must not keep its owner.
    private final class Timers: Sendable {
        let state = Mutex(State())
        let wake = DispatchSemaphore(value: 0)

        func run() {
            while true {
                let (body, rest) = state.withLock { state -> ((@Sendable () -> Void)?, Int64?) in
                    if state.isStopped { return (nil, nil) }
                    let now = MonotonicClock.now
                    state.sleepsUntil = nil
                    if let body = state.queue.popFirst(until: now) { return (body, 0) }
                    let next = state.queue.next() ?? .max
                    state.sleepsUntil = next
                    return (nil, next == .max ? .max : next - now)
                }
                guard let rest else { return }
                if let body {
                    body()
                } else if rest == .max {
                    wake.wait()
                } else {
                    _ = wake.wait(timeout: .now() + .nanoseconds(Int(rest)))
                }
            }
        }
    }

    private let timers = Timers()

    package init() {}

    deinit { shutdown() }

    /// Timers that are waiting.
    package var count: Int { timers.state.withLock { $0.queue.count } }

    /// Calls `body` after so long, once, on the timers' thread, which it must not hold up. Not at all after ``shutdown()``.
    @discardableResult
    package func call(after wait: Duration, _ body: @escaping @Sendable () -> Void) -> ID {
        let (sum, isForever) = MonotonicClock.now.addingReportingOverflow(max(0, wait.nanoseconds))
        let time = isForever ? .max : sum
        let (id, starts, wakes) = timers.state.withLock { state -> (ID, Bool, Bool) in
            if state.isStopped { return (0, false, false) }
            defer { state.isStarted = true }
            let wakes = state.sleepsUntil.map { time < $0 } ?? false
            if wakes { state.sleepsUntil = time }
            return (state.queue.add(at: time, body), !state.isStarted, wakes)
        }
        if starts { start() }
        if wakes { timers.wake.signal() }
        return id
    }

    /// Forgets a timer, unless its turn has come.
    package func cancel(_ id: ID) { timers.state.withLock { _ = $0.queue.cancel(id) } }

    /// Calls nobody any more.
    package func shutdown() {
        timers.state.withLock { state in
            state.isStopped = true
            state.queue.removeAll()
        }
        timers.wake.signal()
    }

    /// Where the system gives no thread, the next timer asks for one again.
    private func start() {
        do throws(SystemThread.Refusal) {
            pthread_detach(try SystemThread.start("timer") { [timers] in timers.run() })
        } catch {
            timers.state.withLock { $0.isStarted = false }
        }
    }
}
