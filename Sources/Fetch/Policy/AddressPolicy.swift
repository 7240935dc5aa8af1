import Media

/// Decides to which addresses the fetcher may connect (against SSRF). Allows only addresses of the public internet, and the blocks
/// that the operator allows. Every refusal has a reason.
///
/// Sources: the IANA IPv4 and IPv6 special-purpose address registries, RFC 6890. IPv6 is allowed only within 2000::/3,
/// the one block assigned for global unicast.
public struct AddressPolicy: Sendable, Hashable {
    /// Blocks that are always allowed. Default: none.
    public var allowed: [CIDR]

    public init(allowed: [CIDR] = []) {
        self.allowed = allowed
    }

    /// Returns why the fetcher may not connect to `address`, or `nil` if it may.
    public func refusal(of address: IPAddress) -> AddressKind? {
        if allowed.contains(where: { $0.contains(address) }) { return nil }
        return AddressKind(of: address)
    }
}

/// Why an address does not belong to the public internet.
public enum AddressKind: String, Sendable, Hashable, CaseIterable {
    case unspecified, loopback, `private`, shared = "carrier-grade NAT", linkLocal = "link-local"
    case siteLocal = "site-local", uniqueLocal = "unique-local", multicast, broadcast, documentation, benchmarking
    case reserved, cloudService = "cloud service"
    case v4Mapped = "IPv4-mapped", v4Compatible = "IPv4-compatible", sixToFour = "6to4", nat64 = "NAT64"
    case teredo = "Teredo", isatap = "ISATAP"

    /// `nil` for an address of the public internet.
    public init?(of address: IPAddress) {
        if let row = Self.table.first(where: { $0.block.contains(address) }) {
            self = row.kind
            return
        }
        guard case .v6(let value) = address else { return nil }
        let interface = UInt64(truncatingIfNeeded: value) >> 32
        // RFC 5214: an interface identifier of ::0:5efe:a.b.c.d, or ::200:5efe:a.b.c.d if the IPv4 part is global.
        if interface == 0x0000_5efe || interface == 0x0200_5efe {
            self = .isatap
        } else if value >> 125 != 1 {
            self = .reserved
        } else {
            return nil
        }
    }

    /// More specific blocks are listed before the blocks that contain them.
    private static let table: [(block: CIDR, kind: AddressKind)] = [
        ("0.0.0.0/32", .unspecified), ("0.0.0.0/8", .reserved),
        ("10.0.0.0/8", .private), ("172.16.0.0/12", .private), ("192.168.0.0/16", .private),
        ("100.64.0.0/10", .shared),
        ("127.0.0.0/8", .loopback),
        ("169.254.0.0/16", .linkLocal),
        ("192.0.2.0/24", .documentation), ("198.51.100.0/24", .documentation), ("203.0.113.0/24", .documentation),
        ("192.0.0.0/24", .reserved),
        ("192.88.99.0/24", .sixToFour),
        ("198.18.0.0/15", .benchmarking),
        ("168.63.129.16/32", .cloudService),
        ("224.0.0.0/4", .multicast),
        ("255.255.255.255/32", .broadcast), ("240.0.0.0/4", .reserved),

        ("::/128", .unspecified), ("::1/128", .loopback),
        ("::ffff:0:0/96", .v4Mapped), ("::ffff:0:0:0/96", .v4Mapped),
        ("::/96", .v4Compatible),
        ("64:ff9b::/96", .nat64), ("64:ff9b:1::/48", .nat64),
        ("2001::/32", .teredo), ("2002::/16", .sixToFour),
        ("2001:2::/48", .benchmarking),
        ("2001:db8::/32", .documentation), ("3fff::/20", .documentation),
        ("2001::/23", .reserved),
        ("fc00::/7", .uniqueLocal), ("fe80::/10", .linkLocal), ("fec0::/10", .siteLocal), ("ff00::/8", .multicast),
    ].compactMap { text, kind in CIDR(text).map { ($0, kind) } }
}
