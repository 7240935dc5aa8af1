/// Waits until a condition holds: the one way that tests wait for what happens in its own time.
///
/// - Parameters:
///   - limit: how long to wait at most. It ends a test that fails anyway; none passes because of it.
///   - what: what is waited for, as the failure says it.
/// - Throws: ``NeverHappened`` at the limit, or when the test's own time is over; whatever `condition` throws.
package func eventually(
    within limit: Duration = .seconds(60), _ what: String, isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    _ = try await eventually(within: limit, what, of: condition, satisfies: { $0 })
}

/// Waits until a value is as it should be.
///
/// - Parameters:
///   - value: looked up again after a pause of 1 to 20 ms.
///   - satisfies: whether it is as it should be.
/// - Returns: the first value that was.
/// - Throws: ``NeverHappened`` with the last value at the limit, or when the test's own time is over; whatever `value`
///   throws.
@discardableResult
package func eventually<Value>(
    within limit: Duration = .seconds(60), _ what: String, isolation: isolated (any Actor)? = #isolation,
    of value: () async throws -> Value, satisfies: (Value) throws -> Bool
) async throws -> Value {
    let clock = ContinuousClock()
    let began = clock.now
    var pause = Duration.milliseconds(1)
    while true {
        let last = try await value()
        if try satisfies(last) { return last }
        let waited = clock.now - began
        guard waited < limit, (try? await Task.sleep(for: pause)) != nil else {
            throw NeverHappened(what: what, waited: waited, last: "\(last)")
        }
        pause = min(pause * 2, .milliseconds(20))
    }
}

/// A condition that was waited for and did not come.
package struct NeverHappened: Error, CustomStringConvertible {
    package let what: String
    package let waited: Duration
    /// The last value that was looked at.
    package let last: String

    package var description: String { "waited \(waited) in vain for \(what); the last value was \(last)" }
}
