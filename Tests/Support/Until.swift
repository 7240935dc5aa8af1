/// Waits until a condition holds.
///
/// - Throws: `CancellationError` when the test's time is over, so that one that waits in vain holds up no other.
package func until(_ condition: () throws -> Bool) async throws {
    while try !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
