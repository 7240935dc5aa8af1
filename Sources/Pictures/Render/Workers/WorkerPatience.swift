import Glibc
import Numbers

/// How long a worker is waited for: until a deadline, and as long as it works. One that does not is stopped or starved,
/// which says nothing about its picture.
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

    /// CPU seconds that the worker was seen to spend on the picture.
    var spent: Double { work - workBefore }

    /// Waits until the descriptor is ready, or gone; false when patience ends first.
    mutating func wait(for events: Int32, on descriptor: Int32) -> Bool {
        while true {
            let time = now()
            let left = min(time.duration(to: end), time.duration(to: workedAt + stall))
            guard left > .zero else { return false }
            // Looked at now and then, to see it work.
            if Deadline(min(left, stall / 4)).wait(for: events, on: descriptor) { return true }
            let latest = Self.cpuTime(of: worker)
            guard latest > work else { continue }
            work = latest
            workedAt = now()
        }
    }

    /// CPU seconds of a process so far; 0 where it is gone.
    private static func cpuTime(of process: pid_t) -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
