import Glibc

/// A network address with its port, as sockets take it.
struct ServerAddress: Sendable {
    let family: Int32
    /// A `sockaddr` of the family.
    package let bytes: [UInt8]

    /// Looks a name up, which may wait for the network.
    init?(host: String, port: UInt16) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else { return nil }
        defer { freeaddrinfo(first) }
        family = first.pointee.ai_family
        bytes = [UInt8](
            UnsafeRawBufferPointer(start: first.pointee.ai_addr, count: Int(first.pointee.ai_addrlen)))
    }
}
