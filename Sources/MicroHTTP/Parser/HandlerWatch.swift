import Glibc
import Threads

/// Measures how long handlers block the parser's thread, which delays all other requests.
///
/// The limit applies to the thread's CPU time, which does not grow on a loaded machine. The statistics by route use elapsed time, which is
/// how long other requests had to wait.
package struct HandlerWatch: Sendable {
    /// Maximum CPU time of a call, or `nil` to measure no CPU time.
    let limit: Duration?
    /// Receives a message about a call that exceeded the limit. Runs on the parser's thread.
    let onOverrun: @Sendable (String) -> Void
    let clocks: Clocks

    package struct Clocks: Sendable {
        /// Elapsed time.
        package var now: @Sendable () -> ContinuousClock.Instant
        /// CPU time of the calling thread.
        package var cpuTime: @Sendable () -> Duration

        package init(
            now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
            cpuTime: @escaping @Sendable () -> Duration = { HandlerWatch.cpuTime }
        ) {
            self.now = now
            self.cpuTime = cpuTime
        }
    }

    /// Runs `body` and checks the limit.
    /// - Returns: the result of `body`, and the elapsed time.
    func call<Value>(_ request: Request, _ body: () -> Value) -> (value: Value, held: Duration) {
        let began = clocks.now()
        let spentBefore = limit == nil ? .zero : clocks.cpuTime()
        let value = body()
        if let limit {
            let spent = clocks.cpuTime() - spentBefore
            if spent > limit {
                onOverrun(
                    "the handler of \(request.method.rawValue) \(request.route) took \(spent.nanoseconds / 1000) µs of CPU time "
                        + "on the server's one thread for requests: return .later")
            }
        }
        return (value, clocks.now() - began)
    }

    package static var cpuTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Limit of a debug build: ten milliseconds of unoptimised code, which corresponds to about one of optimised code. The limit is 50 ms
    /// if a sanitizer slows the code down.
    static var debugLimit: Duration? {
        #if DEBUG
            ["__tsan_init", "__asan_init"].contains { (name: String) in dlsym(nil, name) != nil }
                ? .milliseconds(50) : .milliseconds(10)
        #else
            nil
        #endif
    }
}
