import Fetch
import Glibc
import Media
import Testing

/// The system's resolver with names that this machine knows. The fetcher checks the resolved addresses.
@Suite(.timeLimit(.minutes(1))) struct ResolverTests {
    /// Names whose addresses are all internal.
    private static let insideNames = (["ip6-localhost", "ip6-loopback", "localhost", hostName()] as [String?])
        .compactMap { $0 }
        .filter { name in
            let addresses = lookUp(name)
            return !addresses.isEmpty && addresses.allSatisfy { AddressPolicy().refusal(of: $0) != nil }
        }

    @Test("a name that the system resolves to an internal address is refused", arguments: insideNames)
    func inside(name: String) async throws {
        try await withOrigin { origin, fetcher in
            switch await fetcher.failure("http://\(name):\(origin.port)/bytes/1") {
            case .refusedAddress(let address, let kind): #expect(AddressKind(of: address) == kind)
            case let error: Issue.record("\(String(describing: error))")
            }
            #expect(origin.counts.accepts == 0)
        }
    }

    private static func hostName() -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func lookUp(_ name: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { entry in
            guard let entry, let address = entry.pointee.ai_addr else { return nil }
            let raw = UnsafeRawPointer(address)
            return switch entry.pointee.ai_family {
            case AF_INET: IPAddress(networkOrder: UnsafeRawBufferPointer(start: raw + 4, count: 4))
            case AF_INET6: IPAddress(networkOrder: UnsafeRawBufferPointer(start: raw + 8, count: 16))
            default: nil
            }
        }
    }
}
