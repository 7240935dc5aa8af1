import Synchronization

/// Counts pictures rendered and how long each took.
final class RenderMeter: Sendable {
    private struct Counts: Sendable {
        var succeeded = Histogram()
        var failed = 0
    }

    private let counts = Mutex(Counts())

    func record(_ duration: Duration, succeeded: Bool) {
        counts.withLock { if succeeded { $0.succeeded.add(duration) } else { $0.failed += 1 } }
    }

    var metrics: [Metric] {
        let counts = counts.withLock { $0 }
        return [
            Metric("render_seconds", .histogram, "Time to render a picture.").with(counts.succeeded),
            Metric(
                "render_failures_total", .counter, "Pictures that were not rendered: broken, over a limit, cancelled."
            )
            .with(counts.failed),
        ]
    }
}
