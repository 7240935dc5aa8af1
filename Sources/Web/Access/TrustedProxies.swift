import Fetch
import Gallery
import Media
import MicroHTTP

/// Proxies whose `X-Forwarded-*` headers are trusted. The headers of all other senders are ignored.
package struct TrustedProxies: Sendable {
    private let networks: [CIDR]

    /// - Parameter addresses: addresses or networks such as `192.0.2.7` or `10.0.0.0/8`.
    /// - Throws: ``SettingError`` if a text is neither.
    package init(_ addresses: [String]) throws(SettingError) {
        var networks: [CIDR] = []
        for text in addresses {
            guard let network = CIDR(text) else {
                throw SettingError(
                    "--trusted-proxy must be an address or a network such as 10.0.0.0/8, not \"\(text)\"")
            }
            networks.append(network)
        }
        self.networks = networks
    }

    func sent(_ request: Request) -> Bool { !networks.isEmpty && contains(request.remoteAddress) }

    func contains(_ address: String) -> Bool {
        guard let address = IPAddress(address) else { return false }
        return networks.contains { $0.contains(address) }
    }

    func host(of request: Request) -> String? {
        guard sent(request), let forwarded = request.header("X-Forwarded-Host") else { return request.host }
        return Self.last(forwarded)
    }

    /// Whether the client uses TLS to the proxy.
    func isSecure(_ request: Request) -> Bool {
        sent(request) && request.header("X-Forwarded-Proto").map(Self.last)?.lowercased() == "https"
    }

    /// Address of the client: the last forwarded address that is not a trusted proxy, because each proxy appends the address of its client.
    package func client(of request: Request) -> String {
        guard sent(request), let forwarded = request.header("X-Forwarded-For") else { return request.remoteAddress }
        let hops = forwarded.split(separator: ",").map { String($0).filter { !$0.isWhitespace } }
        guard let client = hops.last(where: { !contains($0) }), IPAddress(client) != nil else {
            return request.remoteAddress
        }
        return client
    }

    /// Returns the value that the nearest proxy added. Earlier values may come from the client.
    private static func last(_ list: String) -> String {
        String(list.split(separator: ",").last ?? "").filter { !$0.isWhitespace }
    }
}
