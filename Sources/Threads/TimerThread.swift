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
        /// The time the thread sleeps until; `nil` while it is awake.
        var sleepsUntil: ContinuousClock.Instant?
        var isStarted = false
        var isStopped = false
    }

    /// The next step of the thread.
    private enum Turn {
        case stop
        case call(@Sendable () -> Void)
        case sleep(Duration)
    }

    /// Shared with the thread, which must not keep its owner.
    private final class Timers: Sendable {
        let state = Mutex(State())
        let wake = DispatchSemaphore(value: 0)
        /// It is woken earlier where there is a timer.
        private static let longestSleep = Duration.seconds(86_400)

        func run() {
            while true {
                let turn = state.withLock { state -> Turn in
                    if state.isStopped { return .stop }
                    let now = ContinuousClock.now
                    state.sleepsUntil = nil
                    if let body = state.queue.popFirst(until: now) { return .call(body) }
                    let next = min(state.queue.next() ?? now + Self.longestSleep, now + Self.longestSleep)
                    state.sleepsUntil = next
                    return .sleep(next - now)
                }
                switch turn {
                case .stop: return
                case .call(let body): body()
                case .sleep(let rest): _ = wake.wait(timeout: .now() + .nanoseconds(Int(rest.nanoseconds)))
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
        let time = ContinuousClock.now + max(.zero, wait)
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
            try SystemThread.detach("timer") { [timers] in timers.run() }
        } catch {
            timers.state.withLock { $0.isStarted = false }
        }
    }
}
