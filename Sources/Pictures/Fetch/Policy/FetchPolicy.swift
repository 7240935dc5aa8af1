/// Where a fetcher may go. One for the whole fetcher, because its connections are shared by all requests.
public struct FetchPolicy: Sendable {
    /// Asked before each `connect()`, after name resolution, on each redirect hop.
    public var addresses: AddressPolicy
    /// Origins whose address is not judged: the operator's own, and the demo's. Exact host and port.
    public var origins: Set<WebOrigin>
    /// A further rule on URLs, asked on each hop (0: the request itself); the reason refuses. Called on the fetcher's
    /// thread: quick, never blocking. Default: none.
    public var refusal: (@Sendable (_ url: WebURL, _ hop: Int) -> String?)?

    public init(
        addresses: AddressPolicy = AddressPolicy(), origins: Set<WebOrigin> = [],
        refusal: (@Sendable (_ url: WebURL, _ hop: Int) -> String?)? = nil
    ) {
        self.addresses = addresses
        self.origins = origins
        self.refusal = refusal
    }

    /// Nil when a socket may be opened to `address` and `port` for the sake of `url`.
    func refusal(of address: IPAddress, port: UInt16, for url: WebURL) -> AddressKind? {
        // The port is compared as well, so that trust in one origin never opens another port of its host.
        if port == url.origin.port, origins.contains(url.origin) { return nil }
        return addresses.refusal(of: address)
    }
}
