import Synchronization

/// Makes one value for all equal requests that arrive before it is made.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package typealias Make = @Sendable () async -> Value?

    private struct Flight {
        var task: Task<Void, Never>
        /// The function of the latest request, for a request that comes after the task was cancelled.
        var make: Make
        var waiting: [Promise<Value?>]
    }

    private let flights = Mutex<[Key: Flight]>([:])

    package init() {}

    package var waiterCount: Int { flights.withLock { $0.values.reduce(0) { $0 + $1.waiting.count } } }

    /// Returns the value that `make` makes, or that an earlier request with an equal key is making.
    ///
    /// - Parameter make: called in a separate task. If all requests for the value are cancelled, this task is cancelled, too. Returns
    ///   `nil` if the task was cancelled before the work began.
    /// - Throws: `CancellationError` if the calling task is cancelled first.
    package func value(for key: Key, _ make: @escaping Make) async throws(CancellationError) -> Value {
        let promise = Promise<Value?>()
        flights.withLock { flights in
            if flights[key] == nil {
                flights[key] = Flight(task: begin(key, make), make: make, waiting: [promise])
            } else {
                flights[key]?.make = make
                flights[key]?.waiting.append(promise)
            }
        }
        guard let value = await promise.value(onCancel: { leave(key, promise) }) else { throw CancellationError() }
        return value
    }

    private func begin(_ key: Key, _ make: @escaping Make) -> Task<Void, Never> {
        Task { [self] in end(key, await make()) }
    }

    private func end(_ key: Key, _ value: Value?) {
        let waiting = flights.withLock { flights -> [Promise<Value?>] in
            if value == nil, let flight = flights[key], !flight.waiting.isEmpty {
                flights[key]?.task = begin(key, flight.make)
                return []
            }
            return flights.removeValue(forKey: key)?.waiting ?? []
        }
        for promise in waiting { promise.resolve(value) }
    }

    private func leave(_ key: Key, _ promise: Promise<Value?>) {
        let abandoned = flights.withLock { flights -> Task<Void, Never>? in
            guard let place = flights[key]?.waiting.firstIndex(where: { $0 === promise }) else { return nil }
            flights[key]?.waiting.remove(at: place)
            return flights[key]?.waiting.isEmpty == true ? flights[key]?.task : nil
        }
        abandoned?.cancel()
        promise.resolve(nil)
    }
}
