import Glibc
import Threads

/// Watches how long handlers hold the parser's thread, on which every other request waits for them.
///
/// The limit is of the thread's CPU time, which a loaded machine does not lengthen; what is counted by route is the time
/// that passed, which is what the others waited.
package struct HandlerWatch: Sendable {
    /// CPU time that a call may take; `nil`: it is not looked at.
    let limit: Duration?
    /// Told what took longer. Called on the parser's thread.
    let onOverrun: @Sendable (String) -> Void
    let clocks: Clocks

    /// The clocks that time is measured by.
    package struct Clocks: Sendable {
        /// That which passes for everybody.
        package var now: @Sendable () -> ContinuousClock.Instant
        /// That which the calling thread has had the processor for.
        package var cpuTime: @Sendable () -> Duration

        package init(
            now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
            cpuTime: @escaping @Sendable () -> Duration = { HandlerWatch.cpuTime }
        ) {
            self.now = now
            self.cpuTime = cpuTime
        }
    }

    /// - Returns: what `body` returned, and the time that passed.
    func call<Value>(_ request: Request, _ body: () -> Value) -> (value: Value, held: Duration) {
        let began = clocks.now()
        let spentBefore = limit == nil ? .zero : clocks.cpuTime()
        let value = body()
        if let limit {
            let spent = clocks.cpuTime() - spentBefore
            if spent > limit {
                onOverrun(
                    "the handler of \(request.method.rawValue) \(request.route) took \(spent.nanoseconds / 1000) µs of CPU time "
                        + "on the server's one thread for requests: answer .later")
            }
        }
        return (value, clocks.now() - began)
    }

    /// CPU time of the calling thread.
    package static var cpuTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The limit of a debug build: ten milliseconds of code that is not optimised, which is one of code that is; more where a
    /// sanitizer slows everything down.
    static var debugLimit: Duration? {
        #if DEBUG
            ["__tsan_init", "__asan_init"].contains { (name: String) in dlsym(nil, name) != nil }
                ? .milliseconds(50) : .milliseconds(10)
        #else
            nil
        #endif
    }
}
