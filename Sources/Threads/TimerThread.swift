import Dispatch
import Glibc
import Synchronization

/// One thread that calls closures at given times.
///
/// A sleeping task wakes several threads, and a cancelled sleep leaves its timer behind. That is acceptable for occasional
/// waits, but sessions set a timer at almost every update, hundreds a second.
package final class TimerThread: Sendable {
    package typealias ID = UInt64

    private struct State {
        var queue = TimerQueue<@Sendable () -> Void>()
        /// Time until which the thread sleeps, or `nil` while it is awake.
        var sleepsUntil: ContinuousClock.Instant?
        var isStarted = false
        var isStopped = false
    }

    private enum Turn {
        case stop
        case call(@Sendable () -> Void)
        case sleep(Duration)
    }

    /// State shared with the thread, which must not retain its owner.
    private final class Timers: Sendable {
        let state = Mutex(State())
        let wake = DispatchSemaphore(value: 0)
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

    package var count: Int { timers.state.withLock { $0.queue.count } }

    /// Calls `body` once after `wait`, on the timers' thread. `body` must not block that thread. It is never called after
    /// ``shutdown()``.
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

    /// Cancels a timer, if it has not been called.
    package func cancel(_ id: ID) { timers.state.withLock { _ = $0.queue.cancel(id) } }

    /// Stops the thread. No timer is called any more.
    package func shutdown() {
        timers.state.withLock { state in
            state.isStopped = true
            state.queue.removeAll()
        }
        timers.wake.signal()
    }

    /// Starts the thread. If the system refuses, the next timer tries again.
    private func start() {
        do throws(SystemThread.Refusal) {
            try SystemThread.detach("timer") { [timers] in timers.run() }
        } catch {
            timers.state.withLock { $0.isStarted = false }
        }
    }
}
