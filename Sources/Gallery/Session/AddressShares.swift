/// A limited number of places, of which one address may hold a quarter, so that none can take all.
package struct AddressShares: Sendable {
    /// Places that one address may hold.
    package let most: Int
    private var held: [String: Int] = [:]

    package init(of places: Int) { most = max(1, places / 4) }

    /// - Parameter network: whose; `nil` for this machine, which is not limited.
    /// - Returns: false where it holds its share already.
    package mutating func take(_ network: String?) -> Bool {
        guard let network else { return true }
        guard held[network, default: 0] < most else { return false }
        held[network, default: 0] += 1
        return true
    }

    package mutating func giveBack(_ network: String?) {
        guard let network, let count = held[network] else { return }
        held[network] = count > 1 ? count - 1 : nil
    }
}
