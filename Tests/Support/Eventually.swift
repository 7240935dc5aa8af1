/// Waits until a condition holds. Tests wait for asynchronous events only through this function.
///
/// - Parameters:
///   - limit: maximum wait. It only ends a test that fails anyway. No test passes because of it.
///   - what: the expected event, for the failure's text.
/// - Throws: ``NeverHappened`` at the limit or when the test's own time is over, and any error of `condition`.
package func eventually(
    within limit: Duration = .seconds(60), _ what: String, isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    _ = try await eventually(within: limit, what, of: condition, satisfies: { $0 })
}

/// Waits until a value satisfies a condition.
///
/// - Parameter value: returns the current value. Called again after pauses of 1 to 20 ms.
/// - Throws: ``NeverHappened`` with the last value at the limit or when the test's own time is over, and any error of `value`.
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

package struct NeverHappened: Error, CustomStringConvertible {
    package let what: String
    package let waited: Duration
    package let last: String

    package var description: String { "waited \(waited) for \(what), which never happened; the last value was \(last)" }
}
