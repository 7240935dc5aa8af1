import Foundation
import TestSupport

/// Collects values from several threads in order, and lets other threads wait for them.
final class Recorder<Value: Sendable>: @unchecked Sendable {
    /// Guards the values and signals each new one.
    private let told = NSCondition()
    private var values: [Value] = []

    func add(_ value: Value) {
        told.withLock { values.append(value) }
        told.broadcast()
    }

    var all: [Value] { told.withLock { values } }

    /// Blocks this thread until `count` values have arrived, at most a minute.
    func wait(for count: Int) -> Bool {
        let end = Date(timeIntervalSinceNow: 60)
        return told.withLock {
            while values.count < count { guard told.wait(until: end) else { break } }
            return values.count >= count
        }
    }
}

/// A value that one thread sets and others wait for.
final class Promise<Value: Sendable>: Sendable {
    private let values = Recorder<Value>()

    /// Only the first value counts.
    func fulfil(_ value: Value) { values.add(value) }

    /// Blocks this thread until a value is set, at most a minute.
    func wait() throws -> Value {
        guard values.wait(for: 1) else {
            throw TestClient.Failure(what: "no \(Value.self) arrived within a minute")
        }
        return values.all[0]
    }

    var isFulfilled: Bool { !values.all.isEmpty }
}
