import Glibc

extension timespec {
    /// Whole nanoseconds, or the nearest number that fits: file systems can store times outside the years 1677 to 2262.
    package var nanoseconds: Int64 {
        let seconds = Int64(tv_sec)
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = whole.addingReportingOverflow(Int64(tv_nsec))
        return overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
}

extension Duration {
    /// Whole nanoseconds, or the nearest number that fits.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : whole &+ attoseconds / 1_000_000_000
    }

    /// Whole milliseconds for `poll`, rounded up so that it does not return early.
    package var pollMilliseconds: Int32 { Int32(clamping: (min(nanoseconds, .max - 999_999) + 999_999) / 1_000_000) }
}
