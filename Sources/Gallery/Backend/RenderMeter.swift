import Pictures
import Synchronization

/// Counts pictures rendered and how long each took, and knows what holds around the processes that do it.
package final class RenderMeter: Sendable {
    package struct Counts: Sendable {
        package var succeeded = Histogram()
        package var failed = 0
        package var sandbox = SandboxReport()
    }

    private let state = Mutex(Counts())

    package var counts: Counts { state.withLock { $0 } }

    func record(_ duration: Duration, succeeded: Bool) {
        state.withLock { if succeeded { $0.succeeded.add(duration) } else { $0.failed += 1 } }
    }

    package func record(_ sandbox: SandboxReport) { state.withLock { $0.sandbox = sandbox } }
}
