import Media

/// Where a fetcher may connect to. One policy for the whole fetcher, because all requests share its connections.
public struct FetchPolicy: Sendable {
    /// Checked before each `connect()`, after name resolution, on each redirect hop.
    public var addresses: AddressPolicy
    /// Origins whose address is not checked: the operator's own, and the demo's. Exact host and port.
    public var origins: Set<WebOrigin>
    /// A further rule for URLs, checked on each hop (0 is the request itself). A returned reason refuses the URL. Called on the fetcher's
    /// thread, so it must be quick and never block. Default: none.
    public var refusal: (@Sendable (_ url: WebURL, _ hop: Int) -> String?)?

    public init(
        addresses: AddressPolicy = AddressPolicy(), origins: Set<WebOrigin> = [],
        refusal: (@Sendable (_ url: WebURL, _ hop: Int) -> String?)? = nil
    ) {
        self.addresses = addresses
        self.origins = origins
        self.refusal = refusal
    }

    /// Returns why no socket may be opened to `address` and `port` for `url`, or `nil` if it may.
    func refusal(of address: IPAddress, port: UInt16, for url: WebURL) -> AddressKind? {
        // The port is compared too, so that trust in one origin never opens another port of its host.
        if port == url.origin.port, origins.contains(url.origin) { return nil }
        return addresses.refusal(of: address)
    }
}

/// A host and a port, such as `127.0.0.1:8081` or `[::1]:80`, that the operator trusts by name, so that its address is not
/// checked. Hosts are compared without regard to case and without resolution: `localhost` and `127.0.0.1` are two origins.
public struct WebOrigin: Sendable, Hashable, CustomStringConvertible {
    /// In lower case. An IPv6 address has no brackets.
    public let host: String
    /// 1...65535.
    public let port: UInt16

    public init(host: String, port: UInt16) { (self.host, self.port) = (Authority(host: host).host, port) }

    /// Parses `HOST:PORT`. `nil` if either is missing or malformed.
    public init?(_ text: some StringProtocol) {
        guard let authority = Authority(text), let port = authority.port else { return nil }
        (host, self.port) = (authority.host, port)
    }

    public var description: String { Authority(host: host, port: port).description }
}
