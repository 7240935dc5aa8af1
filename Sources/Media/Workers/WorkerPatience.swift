import Glibc
import Numbers

/// Waits for a worker until a deadline, but only while the worker uses CPU time. Otherwise the worker was stopped or starved, and its
/// picture is not the cause.
struct WorkerPatience {
    private let worker: pid_t
    private let end: ContinuousClock.Instant
    private let stall: Duration
    private let workBefore: Double
    private var work: Double
    private var workedAt: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant

    init(
        _ worker: pid_t, _ limits: RenderLimits, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.worker = worker
        self.now = now
        workedAt = now()
        end = workedAt + Duration(clampingSeconds: max(0, min(limits.wallTime, 86_400)))
        stall = Duration(clampingSeconds: max(0.01, min(limits.stallTime, 86_400)))
        workBefore = Self.cpuTime(of: worker)
        work = workBefore
    }

    /// CPU time in seconds that the worker has spent on the picture, as last measured.
    var spent: Double { work - workBefore }

    /// Counts the worker's silence from now on. Call this after the worker has waited for the server.
    mutating func restart() { workedAt = now() }

    /// Waits until the descriptor is ready or closed. Returns false if the worker exceeds its time first.
    mutating func wait(for events: Int32, on descriptor: Int32) -> Bool {
        while true {
            let time = now()
            let left = min(time.duration(to: end), time.duration(to: workedAt + stall))
            guard left > .zero else { return false }
            // Wakes up regularly to measure the worker's CPU time.
            if Deadline(min(left, stall / 4)).wait(for: events, on: descriptor) { return true }
            let latest = Self.cpuTime(of: worker)
            guard latest > work else { continue }
            work = latest
            workedAt = now()
        }
    }

    /// Returns the CPU time of a process in seconds, or 0 if the process is gone.
    private static func cpuTime(of process: pid_t) -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
