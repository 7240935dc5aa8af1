import CHiredis
import Glibc

/// Finds the address that a name stands for.
enum NumericAddress {
    /// Where a server is now, as hiredis, which would hold its thread up for a name, takes it; `nil` where that is not known.
    /// May wait for the network.
    ///
    /// - Parameter patience: microseconds that a sentinel has to connect, and to answer.
    static func of(_ server: RedisAddress, patience: Int64) -> (host: String, port: UInt16)? {
        guard let master = server.master else { return of(server.host).map { ($0, server.port) } }
        for sentinel in server.sentinels {
            guard let address = of(sentinel.host) else { continue }
            var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            var port: Int32 = 0
            guard
                chiredis_sentinel(
                    address, Int32(sentinel.port), server.user, server.password, master,
                    Int32(clamping: patience / 1_000), &host, host.count,
                    &port),
                let port = UInt16(exactly: port)
            else { continue }
            let name = String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if let numeric = of(name) { return (numeric, port) }
        }
        return nil
    }

    private static func of(_ host: String) -> String? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0, let first = found else { return nil }
        defer { freeaddrinfo(first) }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(
                first.pointee.ai_addr, first.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
                == 0
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
