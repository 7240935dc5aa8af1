import Synchronization
import TestSupport

/// A demo of 20,000 pictures that goes on from test to test, for those that change nothing of it: it is there at once, and so
/// is what others have looked at.
final class WarmDemo: Sendable {
    /// The demo of the running suite, or nil if each test starts its own.
    @TaskLocal static var current: WarmDemo?

    private let demo = Mutex<LookaheadProcess?>(nil)

    func take() async throws -> LookaheadProcess {
        let demo = if let demo = demo.withLock({ $0 }) { demo } else { try await start() }
        StartedServers.current?.add(demo.child)
        return demo
    }

    /// Two browsers may ask at the same time: then one of two demos stays.
    private func start() async throws -> LookaheadProcess {
        let started = try await Demo(items: 20_000)
        let kept = demo.withLock { demo in
            let kept = demo ?? started
            demo = kept
            return kept
        }
        if kept !== started { started.stop() }
        return kept
    }

    /// The next test gets another.
    func stop() {
        let former = demo.withLock { demo in
            defer { demo = nil }
            return demo
        }
        former?.stop()
    }
}
