import Dispatch
import Synchronization

/// Blocks callers until the gate is opened, and reports each arrival.
package final class TestGate: Sendable {
    /// One element for each arrival.
    package let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    private let semaphore = DispatchSemaphore(value: 0)
    private let arrivalCount = Atomic(0)

    package init() { (arrivals, arrived) = AsyncStream.makeStream() }

    package var count: Int { arrivalCount.load(ordering: .relaxed) }

    /// Blocks the thread until the gate is open.
    package func pass() {
        arrivalCount.add(1, ordering: .relaxed)
        arrived.yield()
        semaphore.wait()
        semaphore.signal()
    }

    package func open() { semaphore.signal() }

    /// Waits until a caller has arrived since the last call.
    package func arrival() async {
        for await _ in arrivals { return }
    }
}
