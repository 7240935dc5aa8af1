import Pipeline
import Synchronization

/// Counts pictures rendered and how long each took, and knows what holds around the processes that do it.
final class RenderMeter: Sendable {
    private struct Counts: Sendable {
        var succeeded = Histogram()
        var failed = 0
        var sandbox = SandboxReport()
    }

    private let counts = Mutex(Counts())

    func record(_ duration: Duration, succeeded: Bool) {
        counts.withLock { if succeeded { $0.succeeded.add(duration) } else { $0.failed += 1 } }
    }

    func record(_ sandbox: SandboxReport) { counts.withLock { $0.sandbox = sandbox } }

    var metrics: [Metric] {
        let counts = counts.withLock { $0 }
        return [
            Metric("render_seconds", .histogram, "Time to render a picture.").with(counts.succeeded),
            Metric(
                "render_failures_total", .counter, "Pictures that were not rendered: broken, over a limit, cancelled."
            )
            .with(counts.failed),
            Metric("render_sandbox", .gauge, "Whether a layer of the sandbox around the render workers is active.")
                .with(counts.sandbox.landlock > 0 ? 1 : 0, ("layer", "landlock"))
                .with(counts.sandbox.seccomp ? 1 : 0, ("layer", "seccomp"))
                .with(counts.sandbox.noNewPrivileges ? 1 : 0, ("layer", "no_new_privs")),
        ]
    }
}
