import Synchronization

/// Bytes that may be held at once by all who share it. Who finds no room is refused, and never waits.
final class ByteBudget: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(limit: Int) { self.limit = max(0, limit) }

    /// Bytes held now.
    var held: Int { used.withLock { $0 } }

    /// A share that begins with nothing.
    func share() -> Share { Share(of: self) }

    private func change(from old: Int, to new: Int) -> Bool {
        used.withLock { used in
            guard new <= old || used - old + new <= limit else { return false }
            used += new - old
            return true
        }
    }

    /// What one of them holds; it is given back with the last reference.
    final class Share: Sendable {
        private let budget: ByteBudget
        private let bytes = Mutex(0)

        fileprivate init(of budget: ByteBudget) { self.budget = budget }

        /// Holds so many bytes in all.
        ///
        /// - Returns: whether there is room; where there is none it holds what it held.
        func hold(_ count: Int) -> Bool {
            bytes.withLock { bytes in
                guard budget.change(from: bytes, to: count) else { return false }
                bytes = count
                return true
            }
        }

        deinit { _ = budget.change(from: bytes.withLock { $0 }, to: 0) }
    }
}
