private let start = ContinuousClock.now

extension ContinuousClock.Instant {
    /// A moment for what is told the time: so long after one that is the same for a whole run.
    package static func after(_ time: Duration) -> Self { start + time }
}
