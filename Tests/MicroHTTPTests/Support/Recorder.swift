import Foundation
import TestSupport

/// Events of several threads, in the order they were told; others wait for them.
final class Recorder<Value: Sendable>: @unchecked Sendable {
    /// Guards the values and tells of each new one.
    private let told = NSCondition()
    private var values: [Value] = []

    func add(_ value: Value) {
        told.withLock { values.append(value) }
        told.broadcast()
    }

    var all: [Value] { told.withLock { values } }

    /// Blocks this thread until so many values were told, a minute at most.
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

    /// The first value counts.
    func fulfil(_ value: Value) { values.add(value) }

    /// Blocks the thread, a minute at most.
    func wait() throws -> Value {
        guard values.wait(for: 1) else {
            throw TestClient.Failure(what: "no \(Value.self) was told within a minute")
        }
        return values.all[0]
    }

    var isFulfilled: Bool { !values.all.isEmpty }
}
