private let start = ContinuousClock.now

extension ContinuousClock.Instant {
    /// Returns a moment for code that accepts the time as an argument: `time` after a start that is the same for the whole run.
    package static func after(_ time: Duration) -> Self { start + time }
}
