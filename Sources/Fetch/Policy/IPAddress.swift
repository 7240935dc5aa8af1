import Glibc
import Media

/// An IPv4 or IPv6 address, as a number in host order. A v4-mapped IPv6 address stays IPv6, as in the request.
public enum IPAddress: Sendable, Hashable {
    case v4(UInt32)
    case v6(UInt128)

    /// Parses the forms that `inet_pton` accepts: four decimal numbers, or the forms of RFC 4291 without a zone. Refuses octal,
    /// hexadecimal and short forms.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(networkOrder: bytes[..<4])
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(networkOrder: bytes[...])
        } else {
            return nil
        }
    }

    /// Creates an address from 4 or 16 bytes in network order. `nil` for any other count.
    public init?(networkOrder bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4: self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16: self = .v6(bytes.reduce(0) { $0 << 8 | UInt128($1) })
        default: return nil
        }
    }

    /// The address as 4 or 16 bytes in network order.
    public var bytes: [UInt8] {
        switch self {
        case .v4(let value): (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        case .v6(let value): (0..<16).map { UInt8(truncatingIfNeeded: value >> (120 - 8 * $0)) }
        }
    }
}

extension IPAddress: CustomStringConvertible {
    public var description: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family: Int32 = if case .v4 = self { AF_INET } else { AF_INET6 }
        guard inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "?" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
