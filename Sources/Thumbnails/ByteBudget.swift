import Synchronization

/// Bytes that may be held at once by all who share it, half of them for one network beside what it holds alone. Who finds no
/// room is refused, and never waits.
package final class ByteBudget: Sendable {
    private let limit: Int
    private let used = Mutex(Used())

    private struct Used {
        var all = 0
        /// Of networks that hold something.
        var byNetwork: [String: Int] = [:]
    }

    package init(limit: Int) { self.limit = max(0, limit) }

    /// Bytes held now.
    package var held: Int { used.withLock { $0.all } }

    /// A share that begins with nothing.
    ///
    /// - Parameter network: the client's; `nil` for this machine and the server itself, which are not limited further.
    package func share(for network: String? = nil) -> Share { Share(of: self, for: network) }

    private func change(from old: Int, to new: Int, for network: String?) -> Bool {
        used.withLock { used in
            // The sizes of other shares of the network: one may be as large as any.
            let others = network.map { used.byNetwork[$0, default: 0] - old } ?? 0
            if new > old {
                guard new <= limit - (used.all - old), others == 0 || new <= limit / 2 - others else { return false }
            }
            used.all += new - old
            if let network { used.byNetwork[network] = others + new > 0 ? others + new : nil }
            return true
        }
    }

    /// A share of the budget; released with the last reference.
    package final class Share: Sendable {
        private let budget: ByteBudget
        private let network: String?
        private let state = Mutex((bytes: 0, wasRefused: false))

        fileprivate init(of budget: ByteBudget, for network: String?) {
            self.budget = budget
            self.network = network
        }

        /// Holds so many bytes in all.
        ///
        /// - Returns: whether there is room; where there is none it holds what it held.
        package func hold(_ count: Int) -> Bool {
            state.withLock { state in
                guard budget.change(from: state.bytes, to: count, for: network) else {
                    state.wasRefused = true
                    return false
                }
                state.bytes = count
                return true
            }
        }

        /// Whether there was no room once.
        package var wasRefused: Bool { state.withLock { $0.wasRefused } }

        deinit { _ = budget.change(from: state.withLock { $0.bytes }, to: 0, for: network) }
    }
}
