import Demo
import TestSupport

extension DemoOrigin {
    /// Waits until the log satisfies a condition, and returns the log.
    @discardableResult
    package func waitForLog(_ isWanted: (Log) -> Bool) async throws -> Log {
        try await eventually("the log of the origin", of: { log }, satisfies: isWanted)
    }
}
