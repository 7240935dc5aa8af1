import Glibc

/// An IPv4 address and a port, in the form that socket calls use.
package struct SocketAddress {
    private var name = sockaddr_in()

    package init(_ address: String = "127.0.0.1", port: UInt16 = 0) {
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = inet_addr(address)
    }

    package var port: UInt16 { UInt16(bigEndian: name.sin_port) }

    /// Binds a socket. If the port is 0, stores the port that the system picked.
    ///
    /// - Returns: `false` if the call fails, with `errno`.
    package mutating func bind(_ socket: Int32) -> Bool {
        pass { Glibc.bind(socket, $0, $1.pointee) == 0 && getsockname(socket, $0, $1) == 0 }
    }

    /// - Returns: `false` if the call fails or continues in the background, with `errno`.
    package mutating func connect(_ socket: Int32) -> Bool { pass { Glibc.connect(socket, $0, $1.pointee) == 0 } }

    /// Creates the address of a connected socket's peer. `nil` if there is none or it has another family.
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
