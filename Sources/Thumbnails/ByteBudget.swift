import Synchronization

/// A limit on the bytes that all shares together hold. A network with several shares may hold half of the limit, and a network with
/// a single share all of it. A request that finds no room is refused and never waits.
package final class ByteBudget: Sendable {
    private let limit: Int
    private let used = Mutex(Used())

    private struct Used {
        var all = 0
        var byNetwork: [String: Int] = [:]
    }

    package init(limit: Int) { self.limit = max(0, limit) }

    package var held: Int { used.withLock { $0.all } }

    /// - Parameter network: The client's network, or `nil` for this machine and the server itself, which have no further limit.
    package func share(for network: String? = nil) -> Share { Share(of: self, for: network) }

    private func change(from old: Int, to new: Int, for network: String?) -> Bool {
        used.withLock { used in
            // Bytes of the network's other shares. If there are none, this share may use the whole budget.
            let others = network.map { used.byNetwork[$0, default: 0] - old } ?? 0
            if new > old {
                guard new <= limit - (used.all - old), others == 0 || new <= limit / 2 - others else { return false }
            }
            used.all += new - old
            if let network { used.byNetwork[network] = others + new > 0 ? others + new : nil }
            return true
        }
    }

    /// A share of the budget. Released with its last reference.
    package final class Share: Sendable {
        private let budget: ByteBudget
        private let network: String?
        private let state = Mutex((bytes: 0, wasRefused: false))

        fileprivate init(of budget: ByteBudget, for network: String?) {
            self.budget = budget
            self.network = network
        }

        /// Changes the share's size to `count` bytes.
        ///
        /// - Returns: whether there is room. If not, the size does not change.
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

        package var wasRefused: Bool { state.withLock { $0.wasRefused } }

        deinit { _ = budget.change(from: state.withLock { $0.bytes }, to: 0, for: network) }
    }
}
