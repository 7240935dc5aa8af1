import Media

/// A block of addresses that share the first `prefix` bits. Written `10.0.0.0/8`, `fd00::/8`, or as a single address.
public struct CIDR: Sendable, Hashable, CustomStringConvertible {
    public let base: IPAddress
    /// 0...32 for IPv4, 0...128 for IPv6.
    public let prefix: Int

    /// Clears the bits of `base` after the prefix. `nil` if the prefix is out of range.
    public init?(_ base: IPAddress, prefix: Int) {
        switch base {
        case .v4(let value):
            guard 0...32 ~= prefix else { return nil }
            self.base = .v4(value & Self.mask(prefix))
        case .v6(let value):
            guard 0...128 ~= prefix else { return nil }
            self.base = .v6(value & Self.mask(prefix))
        }
        self.prefix = prefix
    }

    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = IPAddress(parts[0]) else { return nil }
        let widest = if case .v4 = base { 32 } else { 128 }
        guard parts.count == 2 else {
            self.init(base, prefix: widest)
            return
        }
        guard parts[1].utf8.allSatisfy({ 48...57 ~= $0 }), let prefix = Int(parts[1]) else { return nil }
        self.init(base, prefix: prefix)
    }

    public func contains(_ address: IPAddress) -> Bool {
        switch (base, address) {
        case (.v4(let base), .v4(let address)): address & Self.mask(prefix) == base
        case (.v6(let base), .v6(let address)): address & Self.mask(prefix) == base
        default: false
        }
    }

    public var description: String { "\(base)/\(prefix)" }

    /// Returns `prefix` ones, then zeros. In Swift, a shift by the whole width gives 0.
    private static func mask<T: FixedWidthInteger>(_ prefix: Int) -> T { ~T(0) << (T.bitWidth - prefix) }
}
