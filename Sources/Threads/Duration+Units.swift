import Glibc

extension timespec {
    /// Whole nanoseconds, or the nearest number that fits: file systems hold times outside the years 1677 to 2262.
    package var nanoseconds: Int64 {
        let seconds = Int64(tv_sec)
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = whole.addingReportingOverflow(Int64(tv_nsec))
        return overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
}

extension Duration {
    /// In whole nanoseconds, or the most or least there can be.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : whole &+ attoseconds / 1_000_000_000
    }

    /// As `poll` takes it: in whole milliseconds, rounded up so as not to wake before the time.
    package var pollMilliseconds: Int32 { Int32(clamping: (min(nanoseconds, .max - 999_999) + 999_999) / 1_000_000) }
}
