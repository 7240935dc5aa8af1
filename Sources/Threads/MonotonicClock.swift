import Glibc

/// The machine's time that never goes back, the same for every process.
package enum MonotonicClock {
    /// In nanoseconds.
    package static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    package static var microseconds: Int64 { now / 1000 }
}
