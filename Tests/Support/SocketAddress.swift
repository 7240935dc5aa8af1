import Glibc

/// An IPv4 address and a port, as the calls of sockets take and return them.
package struct SocketAddress {
    private var name = sockaddr_in()

    package init(_ address: String = "127.0.0.1", port: UInt16 = 0) {
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = inet_addr(address)
    }

    package var port: UInt16 { UInt16(bigEndian: name.sin_port) }

    /// Binds a socket, and takes the port that the system picked for 0.
    ///
    /// - Returns: false where it is refused, with `errno`.
    package mutating func bind(_ socket: Int32) -> Bool {
        pass { Glibc.bind(socket, $0, $1.pointee) == 0 && getsockname(socket, $0, $1) == 0 }
    }

    /// - Returns: false where it is refused, or goes on in the background, with `errno`.
    package mutating func connect(_ socket: Int32) -> Bool { pass { Glibc.connect(socket, $0, $1.pointee) == 0 } }

    /// The other end of a connected socket; `nil` where there is none, or it is of another family.
    package init?(peerOf socket: Int32) {
        guard pass({ getpeername(socket, $0, $1) == 0 }), name.sin_family == sa_family_t(AF_INET) else { return nil }
    }

    private mutating func pass(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Bool
    ) -> Bool {
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
        }
    }
}
