import Fetch
import Media

/// The client of a request: its address and the access that its token gives.
package struct Caller: Sendable, Equatable {
    package enum Access: Sendable, Comparable {
        /// Allows looking and scrolling, but changes nothing of others.
        case view
        case full
    }

    package let access: Access
    /// The address that limits count by: the IPv4 address, or the /64 network of an IPv6 address. `nil` for this machine.
    package let network: String?

    /// The operator of the server.
    package static let local = Caller(access: .full, network: nil)

    package init(access: Access, network: String?) {
        self.access = access
        self.network = network
    }

    package init(access: Access, address: String) {
        self.init(access: access, network: Authority(host: address).isLoopback ? nil : Self.network(of: address))
    }

    package static func network(of address: String) -> String {
        guard case .v6(let value) = IPAddress(address) else { return address }
        // An IPv4 address that is mapped into IPv6 counts as the IPv4 address.
        if value >> 32 == 0xffff { return IPAddress.v4(UInt32(truncatingIfNeeded: value)).description }
        return IPAddress.v6((value >> 64) << 64).description
    }
}

/// Limits each network to a quarter of a limited number of places, so that no network takes all of them.
package struct AddressShares: Sendable {
    package let maximum: Int
    private var held: [String: Int] = [:]

    package init(of places: Int) { maximum = max(1, places / 4) }

    /// - Parameter network: the caller's ``Caller/network``. `nil` for this machine, which has no limit.
    /// - Returns: whether the network's share had a free place.
    package mutating func take(_ network: String?) -> Bool {
        guard let network else { return true }
        guard held[network, default: 0] < maximum else { return false }
        held[network, default: 0] += 1
        return true
    }

    package mutating func giveBack(_ network: String?) {
        guard let network, let count = held[network] else { return }
        held[network] = count > 1 ? count - 1 : nil
    }
}
