import CMicroHTTPD
import Glibc
import Synchronization

/// Address of a connection's other end.
package struct Peer: Sendable, Hashable {
    /// Numeric address, or empty if the peer has none.
    let address: String
    let isLoopback: Bool
    /// Unit for counting connections: an IPv4 address, or the /64 network of an IPv6 address.
    let network: String

    package init(_ address: UnsafePointer<sockaddr>?) {
        var text = ""
        if let address {
            text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) {
                guard let base = $0.baseAddress, micro_address_text(address, base, $0.count) != 0 else { return "" }
                return String(cString: base)
            }
        }
        self.address = text
        isLoopback = text == "::1" || text.hasPrefix("127.")
        if let address, address.pointee.sa_family == sa_family_t(AF_INET6), text.contains(":") {
            network = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) {
                    $0.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
                }
            }
        } else {
            network = text
        }
    }
}

/// Counts connections and streams against their limits.
package final class Admission: Sendable {
    enum Verdict { case welcome, full, tooManyFromThere }

    private struct Counts {
        var connections = 0
        var streams = 0
        var perNetwork: [String: Int] = [:]
    }
    private let counts = Mutex(Counts())
    let maxConnections: Int
    let maxStreams: Int
    private let maxPerAddress: Int
    private let limitsLoopback: Bool
    private let isProxy: @Sendable (String) -> Bool

    package init(_ configuration: ServerConfiguration, maxConnections: Int, maxStreams: Int) {
        self.maxConnections = maxConnections
        self.maxStreams = maxStreams
        let given = configuration.maxConnectionsPerAddress
        // If there are few connections, a quarter of them would be too few even for one browser.
        maxPerAddress = given > 0 ? given : max(16, maxConnections / 4)
        limitsLoopback = configuration.limitsLoopback
        isProxy = configuration.isProxy
    }

    var connections: Int { counts.withLock { $0.connections } }
    var streams: Int { counts.withLock { $0.streams } }

    func enter(_ peer: Peer) -> Verdict {
        counts.withLock { counts in
            guard counts.connections < maxConnections else { return .full }
            if isLimited(peer) {
                let there = counts.perNetwork[peer.network, default: 0]
                guard there < maxPerAddress else { return .tooManyFromThere }
                counts.perNetwork[peer.network] = there + 1
            }
            counts.connections += 1
            return .welcome
        }
    }

    /// Counts a connection regardless of the limits. For the start-up test only.
    func enterAnyway() { counts.withLock { $0.connections += 1 } }

    /// Counts a connection as a stream. Returns false if there are too many streams. The later end of the parser's connection is not
    /// counted.
    func becomeStream(anyway: Bool = false) -> Bool {
        counts.withLock { counts in
            guard anyway || counts.streams < maxStreams else { return false }
            counts.streams += 1
            counts.connections -= 1
            return true
        }
    }

    /// Counts a stream as a connection again.
    func becomeConnection() {
        counts.withLock { counts in
            counts.streams -= 1
            counts.connections += 1
        }
    }

    /// Counts the end of a stream.
    func leave(_ peer: Peer) {
        counts.withLock { counts in
            counts.streams -= 1
            forget(peer, &counts)
        }
    }

    /// Counts the end of a connection that is not a stream.
    func leaveConnection(_ peer: Peer) {
        counts.withLock { counts in
            counts.connections -= 1
            forget(peer, &counts)
        }
    }

    private func isLimited(_ peer: Peer) -> Bool {
        (limitsLoopback || !peer.isLoopback) && !peer.network.isEmpty && !isProxy(peer.address)
    }

    private func forget(_ peer: Peer, _ counts: inout Counts) {
        guard isLimited(peer), let there = counts.perNetwork[peer.network] else { return }
        counts.perNetwork[peer.network] = there > 1 ? there - 1 : nil
    }
}
